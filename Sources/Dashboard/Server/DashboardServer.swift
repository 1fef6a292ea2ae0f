import Glibc
import HummingbirdCore
package import Localization
import Logging
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle
import UnixSignals

/// The HTTP server on the loopback addresses.
package struct DashboardServer: Sendable {
  let options: DashboardOptions
  let token: AccessToken
  let hub: FeedHub
  let runner: ActivityRunner

  package init(options: DashboardOptions, token: AccessToken, hub: FeedHub, runner: ActivityRunner) {
    (self.options, self.token, self.hub, self.runner) = (options, token, hub, runner)
  }

  /// Connections that are open at the same time, for each address. Further ones wait. ``ConnectionLimit`` leaves most of them to
  /// clients with a secret.
  static let maximumConnections = 512
  /// Time in which a request must arrive, and for which an idle connection is kept.
  static let idleTimeout = TimeAmount.seconds(15)

  /// Runs the server until SIGINT or SIGTERM arrives. Open streams are ended.
  /// - Parameter started: called with the port once both addresses accept connections.
  /// - Returns: The number of the signal.
  /// - Throws: ``ServeError`` if the port cannot be used.
  package func run(started: @escaping @Sendable (Int) async throws -> Void) async throws -> Int32 {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loopback = try await LoopbackPort(options.port, group)
    let port = loopback.port
    let (listening, listener) = AsyncStream<Void>.makeStream()
    let responder = responder(port: port)
    let servers = loopback.addresses.map { server(at: $0, port, responder, group) { listener.yield() } }
    var configuration = ServiceGroupConfiguration(services: servers, logger: options.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(3)
    let services = ServiceGroup(configuration: configuration)
    return try await withThrowingTaskGroup(of: Int32?.self) { tasks in
      tasks.addTask {
        try await services.run()
        return nil
      }
      tasks.addTask {
        for await _ in listening.prefix(servers.count) {}
        try Task.checkCancellation()
        try await started(port)
        for await signal in signals { return signal == .sigterm ? SIGTERM : SIGINT }
        return nil
      }
      let signal = try await tasks.next() ?? nil
      hub.stop()
      await services.triggerGracefulShutdown()
      await runner.shutDown()
      try await tasks.waitForAll()
      return signal ?? SIGTERM
    }
  }

  private func responder(port: Int) -> DashboardResponder {
    DashboardResponder(
      options: options, port: port, token: token,
      endpoints: DashboardEndpoints(options: options, hub: hub, runner: runner).table,
      permitsConnection: ConnectionPolicy(others: options.otherUsers).permits, connections: ConnectionLimit())
  }

  /// - Parameter onListening: called when the server accepts connections.
  private func server(
    at host: String, _ port: Int, _ responder: DashboardResponder, _ group: any EventLoopGroup,
    onListening: @escaping @Sendable () -> Void
  ) -> Server<DashboardChannel> {
    let channel = HTTP1Channel(
      responder: { request, writer, channel in
        defer { responder.connections.answered(channel) }
        let response = await responder.respond(to: request, channel)
        try await writer.write(response: response.head, body: response.body)
      },
      configuration: HTTP1Channel.Configuration(
        idleTimeout: Self.idleTimeout,
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)))
    return Server(
      childChannelSetup: DashboardChannel(http: channel, connections: responder.connections),
      configuration: ServerConfiguration(
        address: .hostname(host, port: port), backlog: 1024, reuseAddress: true,
        availableConnectionsDelegate: .maximum(Self.maximumConnections, logger: options.logger)),
      onServerRunning: { _ in onListening() }, eventLoopGroup: group, logger: options.logger)
  }
}

/// The loopback addresses and the port of the server.
struct LoopbackPort {
  let port: Int
  /// 127.0.0.1, and ::1 unless IPv6 is disabled.
  let addresses: [String]

  /// Tests which addresses can be used. Port 0 selects a free one.
  init(_ wanted: Int, _ group: any EventLoopGroup) async throws {
    var (port, usable) = (wanted, [String]())
    for address in ["127.0.0.1", "::1"] {
      do {
        let channel = try await ServerBootstrap(group: group)
          .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
          .bind(host: address, port: port).get()
        port = channel.localAddress?.port ?? port
        try await channel.close()
        usable.append(address)
      } catch let error as IOError
        where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) && address == "::1"
      {
      } catch {
        throw ServeError.port(port, address: address, error)
      }
    }
    (self.port, addresses) = (port, usable)
  }
}

/// A failure of the server to start. The message states what to type next.
package enum ServeError: Error, Translatable {
  case port(Int, address: String, any Error)

  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .port(let port, let address, let error):
      let other = (1024..<65535).contains(port) ? port + 1 : 8078
      return Phrase(joining: [Self.reason(port, address, error), Self.advice(other)], separator: Self.space)
    }
  }

  private static let space = " "

  private static func reason(_ port: Int, _ address: String, _ error: any Error) -> Phrase {
    let code = (error as? IOError)?.errnoCode
    if code == EADDRINUSE { return Phrase("port \(port) of \(address) is in use by another program.") }
    let reason = code.map { unsafe String(cString: strerror($0)) } ?? String(describing: error)
    return Phrase("port \(port) of \(address) cannot be used: \(reason).")
  }

  private static func advice(_ other: Int) -> Phrase {
    Phrase(
      """
      Choose another port with: stressmon serve --port \(other), or for every start, also of the service, with: \
      stressmon config set serve-port \(other)
      """)
  }
}
