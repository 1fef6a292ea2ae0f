import HeartRate
import History
import LiveFeed
import Logging
import Platform
import Session
import Stress

/// Creates the setup of a session from options and configuration.
struct SessionSetupBuilder {
  let context: CommandContext
  let source: SourceOptions
  let store: StoreOptions
  let settings: StressEngine.Settings
  var isStored = true
  let logger: Logger

  /// - Parameter strap: the strap of `--strap`, with its profile.
  /// - Throws: ``ReportError`` for a profile that does not exist; ``HistoryError`` if the session is to be stored and no
  ///   folder is known.
  func setup(_ strap: StrapArgument?) throws -> SessionSetup {
    var setup = SessionSetup(
      profile: try store.measuredProfile(context, with: strap),
      source: try sessionSource(strap), settings: settings)
    setup.storeInterval = context.configuration.storeInterval
    setup.isStored = isStored
    do throws(HistoryError) {
      setup.history = try store.location(context)
    } catch {
      if isStored { throw error }
    }
    if !setup.source.waitsForReaders { setup.warnOfLowBattery = context.environment.batteryNotification }
    setup.feed = FeedDirectory(context.environment)
    setup.serve = SessionBus(context.environment, logger)?.serve
    return setup
  }

  private func sessionSource(_ strap: StrapArgument?) throws(SessionError) -> SessionSource {
    if let simulated = source.simulated { return .simulated(simulated) }
    if let lines = source.lines {
      do throws(SourceError) {
        return .lines(try ProgramSource(lines, pace: source.speed?.pace))
      } catch {
        throw .source(error)
      }
    }
    var strapSource = StrapSource(
      strap: context.value(.strap, option: strap?.strap),
      adapter: context.value(.adapter, option: source.bluetooth.adapter), logger: logger)
    if source.noMotion { strapSource.streams = [] }
    return .strap(strapSource)
  }
}
