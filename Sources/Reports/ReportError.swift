import Platform

/// The failure of a report: what was requested, and what to type next.
package struct ReportError: Error, Equatable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The compared part contains no beat.
    case noBeats
    /// The session has no breathing exercise with this stage.
    case noStage(ExerciseStage)
    /// Neither a file nor a stored session of the profile has this name.
    case noFileOrSession(profile: String)
    /// No stored session has an ID with this prefix.
    case noSession
    /// The profile has no session in this range of times.
    case noSessionInRange(profile: String)
  }

  package let code: Code
  /// The argument that names the data.
  package let name: String

  init(_ code: Code, _ name: String) { (self.code, self.name) = (code, name) }

  /// Whether the data exist and are not usable.
  package var isBadData: Bool {
    switch code {
    case .noBeats, .noStage: true
    case .noFileOrSession, .noSession, .noSessionInRange: false
    }
  }

  package var description: String { text.withoutControlCharacters }

  private var text: String {
    switch code {
    case .noBeats:
      "\(name) holds no beat; choose another part, or see what there is with: stressmon analyze FILE, "
        + "stressmon history --sessions"
    case .noStage(let stage):
      "'@\(stage.rawValue)': there is no \(stage.description) in it. See what there is with: stressmon history "
        + "--breathing, or name a part by its times, such as @0-1:00"
    case .noFileOrSession(let profile):
      "there is no file '\(name)', and no stored session of '\(profile)' begins so. See them with: "
        + "stressmon history --sessions"
    case .noSession:
      "no stored session begins with '\(name)'. See them with: stressmon history --sessions"
    case .noSessionInRange(let profile):
      "no session of '\(profile)' went on within \(name); see when there were some with: "
        + "stressmon history --sessions"
    }
  }
}
