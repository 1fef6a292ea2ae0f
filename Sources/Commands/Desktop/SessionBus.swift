import DBus
import Desktop
import LiveFeed
import LiveSession
import Logging
import Platform
import Session

/// Serves running sessions on the session bus (docs/reference/dbus.md), if there is one.
struct SessionBus: Sendable {
  private let address: String
  private let directory: FeedDirectory
  private let logger: Logger

  /// Fails without a session bus.
  init?(_ environment: ProcessEnvironment, _ logger: Logger) {
    guard let address = environment.sessionBus else { return nil }
    (self.address, directory, self.logger) = (address, FeedDirectory(environment), logger)
  }

  /// Serves a session until its end.
  func serve(_ member: SessionMember, _ marker: SessionMarker?) -> any SessionSink {
    let logger = logger
    let service = BusService(
      at: address, name: StressmonInterface.name, object: StressmonInterface.object,
      unsignalled: StressmonInterface.unsignalled
    ) { logger.info("\($0)") }
    service.start { [directory] in try SessionBusSource(member, marker, directory) }
    return ServingSink(service: service)
  }

  /// Ends the service together with the session.
  private struct ServingSink: FinishingSink {
    let service: BusService

    mutating func receive(_: SessionUpdate) -> SinkDecision { .proceed }

    func finish() async { service.stop() }
  }
}
