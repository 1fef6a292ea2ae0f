import ArgumentParser
import HeartRate
import LiveSession
import Localization
import Platform
import Session
import Stress
import Terminal

/// Prints the progress of a reading to standard error: changes of the link, and each quarter of the length.
struct ReadingProgressLines: SessionSink {
  private let reading: Reading
  private let style: TerminalStyle
  private var quarter = 0

  init(_ reading: Reading, style: TerminalStyle) { (self.reading, self.style) = (reading, style) }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .event(let event):
      if case .link(let change) = event.kind { printDiagnostic(change.line(style)) }
    case .sensorClass(let found):
      if let warning = found?.warning { printDiagnostic(style.localized(Phrase(known: warning))) }
    case .measurement: printQuarter()
    case .upcoming, .part, .motion, .ecg, .notice, .processed: break
    }
    return .proceed
  }

  private mutating func printQuarter() {
    let reached = Int((reading.collected ?? 0) / reading.seconds * 4)
    guard reached > quarter else { return }
    quarter = reached
    let done = (reading.seconds * Double(quarter) / 4).fixed(0)
    printDiagnostic(style.localized("collected: \(done) of \(reading.seconds.fixed(0)) s"))
  }
}

/// Prints failures of a series of readings to standard error, each until it is resolved.
struct ReadingSeriesPrinter: Sendable {
  private let every: Duration
  private let style: TerminalStyle
  private let alerts = SessionAlerts(onScreen: false)

  init(every: Duration, style: TerminalStyle = .plain) { (self.every, self.style) = (every, style) }

  @Sendable func report(_ report: RepeatedReadings.Report) {
    switch report {
    case .failed(let error):
      let interval = every.shortText
      let text = style.localized("reading failed, retrying every \(interval): \(message(error))")
      alerts.report(.reading, text)
    case .succeeded: alerts.report(.reading, nil, resolved: style.localized("readings succeed again"))
    case .notStored(let error): printDiagnostic("stressmon: \(message(error))")
    case .missed(let count):
      let text = style.localized(
        "skipped \(count) reading whose start time had passed",
        "skipped \(count) readings whose start times had passed",
        count: count)
      printDiagnostic("stressmon: \(text)")
    case .next(let time): ServiceManager.current?.status("Next reading at \(LocalZone.text(time))")
    }
  }

  private func message(_ error: any Error) -> String {
    style.localized(Phrase(of: error))
  }
}

/// Whether the next reading of a series can succeed after this error: not after invalid data or settings.
@Sendable func canRetryReading(_ error: any Error) -> Bool {
  CommandFailure(error).map { $0.status != .badData } ?? false
}

extension RepeatedReadings {
  /// Takes the readings until a signal arrives.
  /// - Throws: `ExitCode` for a failure that was printed already; ``Interruption``.
  func runUntilInterrupted() async throws {
    let end = try await Session.runUntilInterrupted {
      if let error = try await run() {
        throw ExitCode((CommandFailure(error)?.status ?? .failed).rawValue)
      }
    }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }
}
