internal import Glibc
internal import HeartRate
package import History
internal import Localization
package import Platform

/// The profiles that are published, with the codes of the participants: lines `PROFILE = TICKET [since YYYY-MM-DD]`, with
/// a ticket or a code.
///
/// Empty lines and lines that begin with `#` are ignored. Profiles that are not listed are never published.
package struct Participants: Equatable, Sendable {
  package struct Participant: Equatable, Sendable {
    /// The code, or the pseudonym of the ticket.
    package var code: FleetCode
    /// Encrypts the messages. A participant with a code has none.
    package var ticket: ParticipantTicket?
    package var sessions: PublishedProfile
  }

  /// By the name of the profile.
  package let byProfile: [String: Participant]

  package var sessions: [PublishedProfile] { byProfile.values.map(\.sessions).sorted { $0.name < $1.name } }

  /// `participants` in the folder of the settings.
  package static func defaultPath(_ environment: ProcessEnvironment) -> String {
    let folder = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
    return folder + "/stressmon/participants"
  }

  /// Whether users other than the owner can read the file, which connects names with codes.
  package private(set) var isReadableByOthers = false

  /// - Parameter profile: Publishes only this profile. By default, all profiles are published.
  /// - Throws: ``FleetError`` with the code `usage`, with the line to correct.
  package init(path: String, only profile: String? = nil) throws(FleetError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try ByteSource(path: path).readAll(limit: 1 << 20) ?? []
    } catch {
      let example = Phrase("create it with a line for each person, for example: echo 'ann = P01' > \(path)")
      let advice = unsafe access(path, F_OK) == 0 ? Phrase("correct its permissions") : example
      throw FleetError(.usage, Phrase("cannot read the participants: \(error); \(advice)"))
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path, only: profile)
    var status = stat()
    isReadableByOthers = unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }

  init(
    text: String, path: String, only profile: String? = nil, calendar: LocalCalendar = .system
  ) throws(FleetError) {
    var byProfile: [String: Participant] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard let line = Self.trimmed(line), !line.hasPrefix("#") else { continue }
      let place = Phrase("\(path), line \(index + 1)")
      let participant = try Self.participant(line, place, calendar)
      guard !byProfile.values.contains(where: { $0.code == participant.code }) else {
        throw FleetError(
          .usage,
          Phrase("\(place): the code \(participant.code) is used twice; each person needs a separate code"))
      }
      guard byProfile.updateValue(participant, forKey: participant.sessions.name) == nil else {
        throw FleetError(.usage, Phrase("\(place): the profile \(participant.sessions.name) is listed twice"))
      }
    }
    self.byProfile = try Self.selected(profile, of: byProfile, path)
  }

  private static func selected(
    _ profile: String?, of byProfile: [String: Participant], _ path: String
  ) throws(FleetError) -> [String: Participant] {
    guard !byProfile.isEmpty else {
      throw FleetError(
        .usage, Phrase("the participants \(path) list no profile; add a line such as: ann = P01"))
    }
    guard let profile else { return byProfile }
    guard let chosen = byProfile[profile] else {
      throw FleetError(
        .usage, Phrase("the participants \(path) do not list the profile \(profile); add: \(profile) = CODE"))
    }
    return [profile: chosen]
  }

  private static func participant(
    _ line: Substring, _ place: Phrase, _ calendar: LocalCalendar
  ) throws(FleetError) -> Participant {
    guard let equals = line.lastIndex(of: "="), let profile = trimmed(line[..<equals]) else {
      throw FleetError(
        .usage, Phrase("\(place): '\(String(line))' is not valid. Example: ann = P01 since 2026-11-01"))
    }
    let words = line[line.index(after: equals)...].prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
    guard let text = words.first else {
      throw FleetError(
        .usage, Phrase("\(place): the code after '=' is missing. Example: \(String(profile)) = P01"))
    }
    let ticket = ParticipantTicket(text)
    guard ticket != nil || !ParticipantTicket.isTicket(text) else {
      throw FleetError(
        .usage,
        Phrase(
          """
          \(place): the ticket is incomplete or mistyped; copy it again from stressmon collect admit
          """))
    }
    guard let code = ticket?.pseudonym ?? FleetCode(text) else {
      throw FleetError(
        .usage, Phrase("\(place): '\(String(text))' is not a code: 1 to 64 of the characters A-Z a-z 0-9 _ -")
      )
    }
    var sessions = PublishedProfile(name: String(profile))
    if words.count > 1 {
      guard words.count == 3, words[1] == "since" else {
        throw FleetError(
          .usage,
          Phrase(
            """
            \(place): only 'since' and a date can follow the code. Example: ann = P01 since 2026-11-01
            """)
        )
      }
      guard let day = WallTime(rfc3339: "\(words[2])T00:00:00Z") else {
        throw FleetError(
          .usage, Phrase("\(place): '\(String(words[2]))' is not a date. Example: ann = P01 since 2026-11-01")
        )
      }
      sessions.since = calendar.start(ofDay: day.microseconds / 86_400_000_000)
    }
    return Participant(code: code, ticket: ticket, sessions: sessions)
  }

  /// The text without surrounding spaces, unless nothing remains.
  private static func trimmed(_ text: Substring) -> Substring? {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return nil }
    return start[...last]
  }
}
