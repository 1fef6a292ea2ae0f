import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The connections of the server: those of Hummingbird with a ``RequestGuard``.
struct DashboardChannel: ServerChildChannel {
  let http: HTTP1Channel
  let connections: ConnectionLimit

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(RequestGuard(connections), position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}

/// Reports the requests of a connection to ``ConnectionLimit``, and checks what the conversion of a head to `HTTPRequest` loses:
/// the form of the target and the version.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let connections: ConnectionLimit
  /// Whether the rest of the connection is ignored.
  private var isRejected = false

  init(_ connections: ConnectionLimit) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) { connections.opened(context.channel) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRejected else { return }
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    connections.began(context.channel)
    // Chunks are unknown in HTTP/1.0, so the length of the message is too (RFC 9112, section 6.1).
    guard
      (head.version.major, head.version.minor) >= (1, 1) || !head.headers.contains(name: "Transfer-Encoding")
    else {
      isRejected = true
      return context.fireErrorCaught(HTTPParserError.invalidVersion)
    }
    // The host of an absolute target would be ignored. `*` is rejected as a target that is no path.
    if !head.uri.hasPrefix("/") { head.uri = "*" }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
