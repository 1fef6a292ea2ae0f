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
  private let quarters = QuarterCounter()

  func print(_ progress: ReadingSession.Progress) {
    switch progress {
    case .link(let change): printDiagnostic(change.line)
    case .sensorClass(let found): if let warning = found.warning { printDiagnostic(warning) }
    case .fraction(let done, let seconds):
      guard let quarter = quarters.quarterReached(by: done) else { return }
      printDiagnostic("collected: \((seconds * Double(quarter) / 4).fixed(0)) of \(seconds.fixed(0)) s")
    }
  }
}

private final class QuarterCounter: Sendable {
  private let last = Mutex(0)

  /// The quarter, 1 to 4, that is reached for the first time; otherwise nil.
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
  let every: Duration
  private let alerts = SessionAlerts(onScreen: false)

  init(every: Duration) { self.every = every }

  @Sendable func report(_ report: RepeatedReadings.Report) {
    switch report {
    case .failed(let error):
      let text = CommandFailure(error)?.description ?? "\(error)"
      alerts.report(.reading, "no reading (retrying every \(every.shortText)): \(text)")
    case .succeeded: alerts.report(.reading, nil, resolved: "readings are taken again")
    case .notStored(let error):
      printDiagnostic("stressmon: \(CommandFailure(error)?.description ?? "\(error)")")
    case .missed(let count):
      printDiagnostic("stressmon: skipped \(count) reading\(count == 1 ? "" : "s"): the time had passed")
    case .next(let time): ServiceManager.current?.status("Next reading at \(LocalZone.text(time))")
    }
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
