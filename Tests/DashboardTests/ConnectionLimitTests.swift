import NIOCore
import NIOEmbedded
import NIOHTTP1
import Platform
import Testing

@testable import Dashboard

@Suite struct ConnectionLimitTests {
  private let limit = ConnectionLimit()

  /// Opens connections that send nothing.
  private func opened(_ count: Int) -> [EmbeddedChannel] {
    (0..<count).map { _ in
      let channel = EmbeddedChannel()
      limit.opened(channel)
      return channel
    }
  }

  private func isClosed(_ channel: EmbeddedChannel) -> Bool {
    let isClosed = Locked(false)
    channel.closeFuture.whenComplete { _ in isClosed.withLock { $0 = true } }
    channel.embeddedEventLoop.run()
    return isClosed.withLock(\.self)
  }

  /// Silent connections kept all others waiting for 15 s.
  @Test func theOldestSilentConnectionsAreClosed() {
    let silent = opened(ConnectionLimit.maximumUnverified)
    #expect(!silent.contains(where: isClosed))
    let later = opened(10)
    #expect(silent.prefix(10).allSatisfy(isClosed) && !silent.dropFirst(10).contains(where: isClosed))
    #expect(!later.contains(where: isClosed) && limit.unverifiedCount == ConnectionLimit.maximumUnverified)
  }

  @Test func aConnectionThatWaitsForItsAnswerIsClosedLast() {
    let first = opened(1)[0]
    limit.began(first)
    _ = opened(ConnectionLimit.maximumUnverified + 5)
    #expect(!isClosed(first))
    // A request that was rejected does not reserve a place.
    limit.answered(first)
    _ = opened(1)
    #expect(isClosed(first))
  }

  @Test func connectionsWithASecretAreKept() {
    let known = opened(3)
    #expect(limit.verify(known[0], .owner) && limit.verify(known[1], .token("obs")))
    // The style sheet needs no secret.
    #expect(limit.verify(known[2], .anyone))
    _ = opened(2 * ConnectionLimit.maximumUnverified)
    #expect(known.map(isClosed) == [false, false, true])
  }

  @Test func theConnectionsOfATokenAreLimited() {
    let connections = opened(ConnectionLimit.maximumPerToken + 1)
    #expect(connections.dropLast().allSatisfy { limit.verify($0, .token("a")) })
    #expect(!limit.verify(connections[ConnectionLimit.maximumPerToken], .token("a")))
    #expect(limit.verify(connections[0], .token("a")), "a further request of a known connection")
    for name in ["b", "c", "d"] {
      #expect(opened(ConnectionLimit.maximumPerToken).allSatisfy { limit.verify($0, .token(name)) })
    }
    #expect(!limit.verify(opened(1)[0], .token("e")), "all tokens together")
    #expect(limit.verify(opened(1)[0], .owner))
    connections[0].close(promise: nil)
    connections[0].embeddedEventLoop.run()
    #expect(limit.verify(opened(1)[0], .token("e")), "after a connection was closed")
  }
}

@Suite struct RequestGuardTests {
  private func guarded(_ head: HTTPRequestHead) throws -> HTTPRequestHead? {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(RequestGuard(ConnectionLimit()))
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else { return nil }
    return head
  }

  /// The host of the target was ignored.
  @Test(arguments: ["http://evil/api/status", "https://127.0.0.1:8077/", "evil", "*", ""])
  func aTargetThatIsNoPathIsInvalid(target: String) throws {
    let head = try guarded(HTTPRequestHead(version: .http1_1, method: .GET, uri: target))
    #expect(head?.uri == "*" && RequestTarget(head?.uri ?? "") == nil)
  }

  @Test(arguments: ["/", "/api/status?profile=me", "//evil/x"])
  func aPathIsNotChanged(target: String) throws {
    #expect(try guarded(HTTPRequestHead(version: .http1_1, method: .GET, uri: target))?.uri == target)
  }

  @Test func chunksAreRejectedInOldVersions() throws {
    let headers: HTTPHeaders = ["Transfer-Encoding": "chunked"]
    #expect(throws: HTTPParserError.invalidVersion) {
      try guarded(HTTPRequestHead(version: .http1_0, method: .POST, uri: "/", headers: headers))
    }
    #expect(try guarded(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: headers)) != nil)
    #expect(try guarded(HTTPRequestHead(version: .http1_0, method: .GET, uri: "/")) != nil)
  }
}
