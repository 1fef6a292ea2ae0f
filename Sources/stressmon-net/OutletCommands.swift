import Dashboard
import History
import LiveFeed
import Localization
import NetworkCommands
import Outlets
import Platform
import Reports

/// Performs the commands that targets send, such as the buttons of Home Assistant.
final class OutletCommands: Sendable {
  /// The published session.
  let session = Locked<String?>(nil)
  private let runner: ActivityRunner?
  /// Reads the last night of the profile.
  let lastNight: LastNight?

  /// - Parameter profile: the profile of readings; by default that of the settings.
  init(profile: String?, database: String?) async {
    guard let program = try? MeasuringProgram.find() else {
      (runner, lastNight) = (nil, nil)
      return
    }
    let settings = await Settings(program)
    let location = try? settings.location(database, .current)
    let profile = profile ?? settings.profile ?? "me"
    runner = location.map {
      ActivityRunner(MeasuringProgram(path: program, database: $0.path, profile: profile))
    }
    lastNight = location.map { location in
      { @Sendable in
        guard let reader = try? HistoryReader(location),
          let night = try? reader.nights(of: profile, limit: 7).first(where: \.counts),
          let rmssd = night.rmssd, let rate = night.heartRate
        else { return nil }
        return NightValues(
          rmssd: rmssd, heartRate: rate, hours: night.seconds / 3600, day: TrendPeriod.date(Int64(night.day)))
      }
    }
  }

  func perform(_ command: OutletCommand) {
    do {
      switch command {
      case .mark: try mark()
      case .measure: try start(.measure)
      case .breathe: try start(.breathe)
      }
    } catch {
      printMessage(Phrase("the command '\(command.rawValue)' failed: \(Phrase(describing: error))"))
    }
  }

  private func mark() throws {
    guard let session = session.withLock(\.self) else { throw Failure(Phrase("no session is running")) }
    if case .refused(let reason) = try FeedDirectory(.current).send(.mark(note: nil), to: session) {
      throw Failure(Phrase(untranslated: reason))
    }
  }

  /// The result is stored in the history, and published like that of any other session.
  private func start(_ command: Activity.Command) throws {
    guard let runner else { throw Failure(Phrase("the program stressmon was not found")) }
    guard runner.start(Activity(command)) else { throw Failure(Phrase("an activity is running")) }
    Task {
      while runner.status?.isRunning == true { try? await Task.sleep(for: .milliseconds(200)) }
      if let failure = runner.status?.failure {
        printMessage(Phrase("\(command.rawValue): \(failure)"))
      }
    }
  }

  private struct Failure: Error, Translatable {
    let message: Phrase

    /// The message in English.
    var description: String { Language.english.text(message) }

    init(_ message: Phrase) { self.message = message }
  }
}
