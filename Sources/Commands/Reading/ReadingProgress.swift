import ArgumentParser
import HeartRate
import Localization
import Platform
import Session
import Stress
import Synchronization
import Terminal

/// Prints the progress of a reading to standard error: changes of the link, and each quarter of the length.
struct ReadingProgressPrinter {
  private let style: TerminalStyle
  private let quarters = QuarterCounter()

  init(style: TerminalStyle) { self.style = style }

  func print(_ progress: ReadingSession.Progress) {
    switch progress {
    case .link(let change): printDiagnostic(change.line(style))
    case .sensorClass(let found):
      if let warning = found.warning { printDiagnostic(style.localized(Phrase(known: warning))) }
    case .fraction(let done, let seconds):
      guard let quarter = quarters.quarterReached(by: done) else { return }
      let done = (seconds * Double(quarter) / 4).fixed(0)
      printDiagnostic(style.localized("collected: \(done) of \(seconds.fixed(0)) s"))
    }
  }
}

private final class QuarterCounter: Sendable {
  private let last = Mutex(0)

  /// The quarter, 1 to 4, if it is reached for the first time.
  func quarterReached(by fraction: Double) -> Int? {
    last.withLock { last in
      let quarter = Int(fraction * 4)
      guard quarter > last else { return nil }
      last = quarter
      return quarter
    }
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
