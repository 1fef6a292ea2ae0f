import HeartRate
import History
import Localization
import Platform
import Reports
import Session
import Strap
import Stress
import Terminal

extension CommandFailure {
  /// The exit status and the message of an error of a session.
  init(_ error: SessionError) {
    switch error {
    case .duplicateStrap(let strap, let profile):
      self.init(
        .failed, Phrase("\("\(strap)") is measured already, for profile '\(profile)': name each strap once."))
    case .strap(let error, let remembered): self = remembered.failure(error, choosingWith: "live --strap")
    case .source(let error): self.init(error)
    case .noData(let length, let link): self = Self.noData(after: length, link)
    case .recordingIncomplete(let error):
      self.init(.failed, Phrase("the end of the recording was not written: \(Phrase(of: error))"))
    case .notStored(let error, let events, let path): self = Self.notStored(error, events, path)
    case .resultNotStored(let error):
      self.init(.failed, Phrase("the result was not stored: \(Phrase(of: error))"))
    case .noReading(let limit, let sensorClass): self = Self.noReading(after: limit, sensorClass)
    case .readingTooLong(let length, let interval):
      self.init(
        .usage,
        Phrase(
          """
          a reading of \(length.shortText) does not fit into an interval of \(interval.shortText). Choose a longer \
          --every, or a shorter --duration
          """))
    }
  }

  /// The exit status and the message of a source that cannot be used.
  init(_ error: SourceError) {
    switch error {
    case .missing(let path):
      self.init(
        .noStrap,
        Phrase("there is no \(path) to read lines from. Create a FIFO with: \("mkfifo \(path)")"))
    case .file(let error): self.init(.failed, Phrase(of: error))
    case .noListener(let path, let reason):
      self.init(
        .noStrap,
        Phrase("no program accepts connections at unix:\(path) (\(reason)). Start it before stressmon."))
    case .paceOfLiveSource(let text):
      self.init(
        .usage, Phrase("--speed applies to a file, and the lines of '\(text)' arrive while they are written.")
      )
    case .empty(let name):
      self.init(
        .noStrap,
        Phrase(
          "\(name) ended without a line, or sent none. A program must write each line at once (flush its output)."
        ))
    case .unusable(let name, let line):
      self.init(
        .badData, Phrase("\(name) has no usable line; \(line). The lines: docs/reference/source-protocol.md"))
    case .tooShort(let name, let seconds):
      self.init(
        .badData,
        Phrase(
          "\(name) ended after \(seconds.fixed(0)) s of heartbeats, and a reading requires 30 s of RR intervals."
        ))
    }
  }

  /// Several errors as one failure; nil if none of them is a failure of the program.
  init?(_ errors: SessionErrors) { self.init(all: errors.all.compactMap { CommandFailure($0) }) }

  private static func noData(after length: Duration, _ link: LinkChange?) -> CommandFailure {
    let attempt =
      if let strap = link?.strap.map({ "\($0)".printable }) {
        link?.state == .connecting
          ? Phrase("the connection to \(strap) was not established") : Phrase("\(strap) sent none")
      } else {
        Phrase("no strap was found")
      }
    let reason = link?.reason.map { " (\($0))".printable } ?? ""
    return CommandFailure(
      .noStrap,
      Phrase(
        """
        no heart-rate data were received within \(length.shortText): \(attempt)\(reason). Wear the strap with moist \
        electrodes, and allow at least 30s (--duration 30s), or find the cause with: stressmon doctor
        """))
  }

  private static func notStored(_ error: HistoryError, _ events: Int, _ path: String?) -> CommandFailure {
    guard let path else {
      return CommandFailure(
        .failed,
        Phrase(
          "\(error.message) \(events) event lost: no file could be written.",
          "\(error.message) \(events) events lost: no file could be written.", count: events))
    }
    return CommandFailure(
      .failed,
      Phrase(
        "\(error.message)\nNot stored: \(events) event, saved to \(path). Read the file with: stressmon analyze \(path)",
        "\(error.message)\nNot stored: \(events) events, saved to \(path). Read the file with: stressmon analyze \(path)",
        count: events))
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
        no RR intervals were received within \(limit.shortText), so nothing was measured. Moisten the strap's \
        electrodes, or find the cause with: stressmon doctor
        """))
  }
}

extension [RememberedStrap] {
  /// The failure of finding or connecting a strap. If several straps match, lists each with its name, its address and its
  /// last use.
  /// - Parameters:
  ///   - command: the command that takes the address of a strap, such as `live --strap`.
  ///   - areKnown: whether the straps are known, and did not answer a search.
  func failure(
    _ error: StrapError, choosingWith command: String, areKnown: Bool = false
  ) -> CommandFailure {
    guard case .ambiguous(let selection, let found) = error else {
      return CommandFailure(.noStrap, error.message(choosingWith: command))
    }
    let rows = found.map { (strap: $0.strap, use: lastUse(of: $0.strap)) }
      .sorted { ($0.use?.microseconds ?? .min) > ($1.use?.microseconds ?? .min) }
    let list = table(rows).lines().map { "  \($0)" }.joined(separator: "\n")
    let choice = "stressmon \(command) \(rows.first?.strap.address ?? "ADDRESS")"
    return CommandFailure(
      .noStrap,
      areKnown
        ? Phrase("more than one \(selection.phrase) is known:\n\(list)\nChoose one with: \(choice)")
        : Phrase("more than one \(selection.phrase) answered:\n\(list)\nChoose one with: \(choice)"))
  }

  private func table(_ rows: [(strap: StrapIdentity, use: WallTime?)]) -> TextTable {
    let environment = ProcessEnvironment.current
    let headings = [Phrase("name"), Phrase("address"), Phrase("last used")].map(environment.text)
    var table = TextTable(headings.map { ($0, .left) })
    for (strap, use) in rows {
      let use = use.map { LocalZone.text($0) } ?? environment.text(Phrase("never"))
      table.append([strap.name ?? "-", strap.address, use])
    }
    return table
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
    return style.localized(state.word) + details.printable
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
