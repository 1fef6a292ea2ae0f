/// The result of one check of `doctor`.
package struct Finding: Equatable, Sendable {
  package enum State: String, Sendable, CaseIterable {
    case ok
    /// May cause problems.
    case warning
    /// Prevents every session.
    case failed
    /// Could not be determined.
    case unknown
  }

  /// What was checked, in one to three words.
  package var name: String
  package var state: State
  /// The observation, in one line.
  package var evidence: String
  /// A command that solves the problem; nil if it does not exist.
  package var remedy: String?

  package init(_ name: String, _ state: State, _ evidence: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.evidence = evidence
    self.remedy = remedy
  }

  /// The same finding with `warning` instead of `failed`, for a problem that is no obstacle.
  var asWarning: Finding {
    var finding = self
    if state == .failed { finding.state = .warning }
    return finding
  }
}
