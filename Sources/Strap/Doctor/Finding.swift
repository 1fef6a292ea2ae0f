/// One thing that has to be right for a strap to be heard, and whether it is.
public struct Finding: Equatable, Sendable {
  public enum State: String, Sendable, CaseIterable {
    case ok
    /// It may do harm.
    case warning
    /// Nothing works while this is so.
    case failed
    /// It could not be found out.
    case unknown
  }

  /// What was looked at, in a word or two.
  public var name: String
  public var state: State
  /// What was seen, in one line.
  public var evidence: String
  /// One command that mends it, where there is one.
  public var remedy: String?

  public init(_ name: String, _ state: State, _ evidence: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.evidence = evidence
    self.remedy = remedy
  }

  /// What is wrong and is no obstacle here.
  var asWarning: Finding {
    var finding = self
    if state == .failed { finding.state = .warning }
    return finding
  }
}
