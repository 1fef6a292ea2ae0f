package import Localization
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

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    let name = name.withoutControlCharacters
    return switch code {
    case .noBeats:
      Phrase(
        """
        \(name) contains no beat; choose another part, or show the data with: stressmon analyze FILE, \
        stressmon history --sessions
        """)
    case .noStage(let stage):
      Phrase(
        """
        '@\(stage.rawValue)': the session contains no \(stage.name). List the exercises with: \
        stressmon history --breathing, or select a part by its times, such as @0-1:00
        """)
    case .noFileOrSession(let profile):
      Phrase(
        """
        there is no file '\(name)', and no session ID of '\(profile.withoutControlCharacters)' begins with it. List the \
        sessions with: stressmon history --sessions
        """)
    case .noSession:
      Phrase("no session ID begins with '\(name)'. List the sessions with: stressmon history --sessions")
    case .noSessionInRange(let profile):
      Phrase(
        """
        '\(profile.withoutControlCharacters)' has no session within \(name). List the sessions with: \
        stressmon history --sessions
        """)
    }
  }
}
