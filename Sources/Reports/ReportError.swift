internal import Formats
internal import History
package import Localization
import Platform

/// The failure of a report: what was requested, and what to type next.
package struct ReportError: Error, Equatable, Translatable {
  package enum Code: Equatable, Sendable {
    /// The compared part contains no beat.
    case noBeats
    /// The session has no breathing exercise with this stage.
    case noStage(ExerciseStage)
    /// The session has no mark with this name.
    case noMark(known: [String])
    /// The end of the part is not after its beginning.
    case emptyPart
    /// Neither a file nor a stored session of the profile has this name.
    case noFileOrSession(profile: String)
    /// No stored session has an ID with this prefix.
    case noSession
    /// The profile has no session in this range of times.
    case noSessionInRange(profile: String)
    /// The profile does not exist; `database` is the path of `--db`.
    case noProfile(known: [String], ProfileCheck.Origin, database: String?)
  }

  package let code: Code
  /// The argument that names the data.
  package let name: String

  init(_ code: Code, _ name: String) { (self.code, self.name) = (code, name) }

  /// Whether the data exist and are not usable.
  package var isBadData: Bool {
    switch code {
    case .noBeats, .noStage, .noMark, .emptyPart: true
    case .noFileOrSession, .noSession, .noSessionInRange, .noProfile: false
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
    case .noMark(let known) where known.isEmpty:
      Phrase("the session has no mark '\(name)': it contains no marks")
    case .noMark(let known):
      Phrase("the session has no mark '\(name)', only: \(RRText.BadLine.list(known))")
    case .emptyPart: Phrase("\(name): the end of the part is not after its beginning")
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
    case .noProfile(let known, let origin, let database): noProfile(known, origin, database)
    }
  }

  /// Names the nearest profile, or else some of them, and the command that creates the profile.
  private func noProfile(_ known: [String], _ origin: ProfileCheck.Origin, _ database: String?) -> Phrase {
    let word = { (name: String) in HistoryError.quoted(name.withoutControlCharacters) }
    let option = database.map { " --db " + word($0) } ?? ""
    let name = name.withoutControlCharacters
    let create = "stressmon profile add \(word(self.name))\(option)"
    if origin == .setting {
      return Phrase(
        """
        there is no profile '\(name)', which is the setting 'profile'. Create it with: \(create); or choose another with: \
        stressmon config set profile NAME
        """)
    }
    let nearest = NearestName.of(self.name, among: known).map {
      (origin == .option ? "--profile " : "") + word($0)
    }
    if origin == .argument {
      return nearest.map { Phrase("there is no profile '\(name)'. Did you mean: \($0)") }
        ?? Phrase(
          "there is no profile '\(name)'. List the profiles with: \("stressmon profile list" + option)")
    }
    let shown = known.prefix(8).map(\.withoutControlCharacters).joined(separator: ", ")
    let list = known.count > 8 ? shown + ", ..." : shown
    return nearest.map {
      Phrase("there is no profile '\(name)'. Did you mean: \($0); or create it with: \(create)")
    } ?? Phrase("there is no profile '\(name)', only: \(list). Create it with: \(create)")
  }
}
