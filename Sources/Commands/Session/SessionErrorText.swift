import HeartRate
import History
import Localization
import Platform
import Session
import Strap
import Stress
import Terminal

extension CommandFailure {
  /// The exit status and the message of an error of a session.
  init(_ error: SessionError) {
    switch error {
    case .duplicateStrap(let strap, let profile):
      self.init(.failed, "\(strap) is measured already, for profile '\(profile)': name each strap once.")
    case .strap(let error, let remembered): self = remembered.failure(error, choosingWith: "live --strap")
    case .noData(let length, let link): self = Self.noData(after: length, link)
    case .recordingIncomplete(let error):
      self.init(.failed, "the end of the recording could not be written: \(error)")
    case .notStored(let error, let events, let path): self = Self.notStored(error, events, path)
    case .noReading(let limit, let sensorClass): self = Self.noReading(after: limit, sensorClass)
    case .readingTooLong(let length, let interval):
      self.init(
        .usage,
        """
        a reading of \(length.shortText) does not fit into an interval of \(interval.shortText). Choose a longer --every, \
        or a shorter --duration
        """)
    }
  }

  /// Several errors as one failure; nil if none of them is a failure of the program.
  init?(_ errors: SessionErrors) { self.init(all: errors.all.compactMap { CommandFailure($0) }) }

  private static func noData(after length: Duration, _ link: LinkChange?) -> CommandFailure {
    let attempt =
      if let strap = link?.strap.map({ "\($0)".printable }) {
        link?.state == .connecting ? Phrase("connecting to \(strap)") : Phrase("the link to \(strap)")
      } else {
        Phrase("the search for a strap")
      }
    let reason = link?.reason.map { " (\($0))".printable } ?? ""
    return CommandFailure(
      .noStrap,
      Phrase(
        """
        no heart-rate data were received within \(length.shortText): \(attempt) brought none\(reason). Wear the strap with \
        moist electrodes, and allow at least 30s (--duration 30s), or find the cause with: stressmon doctor
        """))
  }

  private static func notStored(_ error: HistoryError, _ events: Int, _ path: String?) -> CommandFailure {
    guard let path else {
      return CommandFailure(.failed, "\(error) \(counted(events, "event")) lost: no file could be written.")
    }
    return CommandFailure(
      .failed,
      """
      \(error)
      Not stored: \(counted(events, "event")), saved to \(path). Read the file with: stressmon analyze \(path)
      """)
  }

  private static func noReading(after limit: Duration, _ sensorClass: SensorClass?) -> CommandFailure {
    if sensorClass == .noRR, let warning = SensorClass.noRR.warning {
      return CommandFailure(
        .badData, Phrase("nothing was measured within \(limit.shortText). \(Phrase(known: warning))"))
    }
    return CommandFailure(
      .noStrap,
      Phrase(
        """
        no RR intervals came within \(limit.shortText), so nothing was measured. Moisten the strap's electrodes, and see \
        what is wrong with: stressmon doctor
        """))
  }
}

extension [RememberedStrap] {
  /// The failure of finding or connecting a strap. If several straps match, lists each with its name, its address and its
  /// last use.
  /// - Parameters:
  ///   - command: the command that takes the address of a strap, such as `live --strap`.
  ///   - verb: the property that the straps share, for the message.
  func failure(
    _ error: StrapError, choosingWith command: String, verb: String = "answered"
  ) -> CommandFailure {
    guard case .ambiguous(let selection, let found) = error else {
      return CommandFailure(.noStrap, error.message(choosingWith: command))
    }
    let rows = found.map { (strap: $0.strap, use: lastUse(of: $0.strap)) }
      .sorted { ($0.use?.microseconds ?? .min) > ($1.use?.microseconds ?? .min) }
    var table = TextTable([("name", .left), ("address", .left), ("last used", .left)])
    for (strap, use) in rows {
      table.append([strap.name ?? "-", strap.address, use.map { LocalZone.text($0) } ?? "never"])
    }
    return CommandFailure(
      .noStrap,
      """
      more than one \(selection.description.printable) \(verb):
      \(table.lines().map { "  \($0)" }.joined(separator: "\n"))
      Choose one with: stressmon \(command) \(rows.first?.strap.address ?? "ADDRESS")
      """)
  }

  private func lastUse(of strap: StrapIdentity) -> WallTime? {
    first { $0.strap.address == strap.address }?.lastUsed
  }
}

extension LinkChange {
  /// `connected Polar H10 (C0:FF:EE:00:00:01)`, `lost: the link ended`.
  var line: String { statusLine.printable }

  /// ``line`` in the language of `style`; the reason is not translated.
  func line(_ style: TerminalStyle) -> String {
    let details = (strap.map { " \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
    return style.localized(state.name) + details.printable
  }
}

extension LinkChange.State {
  fileprivate var name: Phrase {
    switch self {
    case .searching: Phrase("searching")
    case .connecting: Phrase("connecting")
    case .connected: Phrase("connected")
    case .stale: Phrase("stale")
    case .lost: Phrase("lost")
    }
  }
}

extension SessionAlerts {
  /// Alerts that are shown on the screen, or printed to standard error with `label` before them.
  convenience init(onScreen: Bool, label: String? = nil) {
    let prefix = label.map { "\($0.printable): " } ?? ""
    let print: @Sendable (String) -> Void = { printDiagnostic("stressmon: \(prefix)\($0)") }
    self.init(print: onScreen ? nil : print, warning: print)
  }
}

extension OutputError: RunEndingError {
  /// Nothing reads the output of any session of the run.
  package var endsRun: Bool { self == .closedPipe }
}
