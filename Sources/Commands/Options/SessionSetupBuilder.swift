import HeartRate
import History
import LiveFeed
import Logging
import Platform
import Session
import Stress

/// Creates the setup of a session from options and configuration.
struct SessionSetupBuilder {
  let configuration: Configuration
  let environment: ProcessEnvironment
  let source: SourceOptions
  let store: StoreOptions
  let settings: StressEngine.Settings
  var isStored = true
  let logger: Logger

  /// - Parameter strap: the strap of `--strap`, with its profile.
  func setup(_ strap: StrapArgument?) throws -> SessionSetup {
    var setup = SessionSetup(
      profile: strap?.profile?.name ?? store.profileName(configuration),
      source: sessionSource(strap), settings: settings)
    setup.storeInterval = configuration.storeInterval
    if isStored {
      let location = try store.location(configuration, environment)
      (setup.history, setup.locks) = (location, location)
    } else {
      setup.locks = try? store.location(configuration, environment)
    }
    if source.simulated == nil { setup.warnOfLowBattery = environment.batteryNotification }
    setup.makeFeed = FeedSink.factory(FeedDirectory(environment), history: setup.history)
    return setup
  }

  private func sessionSource(_ strap: StrapArgument?) -> SessionSource {
    if let simulated = source.simulated { return .simulated(simulated) }
    var strapSource = StrapSource(
      strap: strap?.strap ?? configuration[.strap],
      adapter: source.bluetooth.adapter ?? configuration[.adapter], logger: logger)
    if source.noMotion { strapSource.streams = [] }
    return .strap(strapSource)
  }
}
