import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Platform
import TestSupport
import Testing

@testable import Dashboard

/// Limits of writes, commands, downloads and streams.
@Suite struct ResourceLimitTests {
  /// Waiting writes used the threads of reads.
  @Test func aFullPoolRejectsCallsAndDelaysNoOther() async throws {
    let (writers, readers) = (WorkerPool(threads: 1, limit: 3), WorkerPool(threads: 1, limit: 1))
    let lock = Locked(true)
    try await withThrowingTaskGroup(of: Int.self) { tasks in
      for number in 0..<3 {
        tasks.addTask {
          try await writers.run {
            while lock.withLock(\.self) { usleep(1000) }
            return number
          }
        }
      }
      while writers.count < 3 { try await Task.sleep(for: .milliseconds(1)) }
      let rejected = await #expect(throws: Problem.self) { try await writers.run {} }
      #expect(rejected?.status == 503 && rejected?.retryAfter == 5)
      let read = try await readers.run { 7 }
      #expect(read == 7)
      lock.withLock { $0 = false }
      let written = try await tasks.reduce(0, +)
      #expect(written == 3)
    }
    let later = try await writers.run { 8 }
    #expect(later == 8)
  }

  /// Reading tokens started any number of commands.
  @Test func theCommandsOfAKindAreLimited() async throws {
    let limit = ChildLimit()
    try await limit.run(.radio) {
      _ = await #expect(throws: Problem.self) { try await limit.run(.radio) {} }
      try await limit.run(.doctor) {}
      try await limit.run(.export) {
        try await limit.run(.export) {
          _ = await #expect(throws: Problem.self) { try await limit.run(.export) {} }
        }
      }
    }
    let later = try await limit.run(.radio) { 1 }
    #expect(later == 1)
  }

  @Test func theCommandsOfAllKindsAreLimited() async throws {
    let limit = ChildLimit()
    func nested(_ kinds: ArraySlice<ChildLimit.Kind>) async throws -> Int {
      guard let kind = kinds.first else { return 0 }
      return try await limit.run(kind) { try await nested(kinds.dropFirst()) }
    }
    let all = ChildLimit.Kind.allCases.flatMap { Array(repeating: $0, count: $0.maximum) }
    let result = try await nested(all.prefix(ChildLimit.maximum))
    #expect(result == 0)
    await #expect(throws: Problem.self) { _ = try await nested(all.prefix(ChildLimit.maximum + 1)) }
  }

  @Test func aReadingRequestStartsNoSearch() async throws {
    let server = try ServerFixture(measures: false)
    for path in ["/settings/straps?scan=1", "/settings/doctor?run=1"] {
      let status = try await server.request("GET", path).status
      #expect(status == 400)
    }
    for path in ["/settings/straps", "/settings/doctor"] {
      let page = try await server.page(path)
      #expect(page.contains("<form method=\"post\" action=\"\(path)\" class=\"row\">"))
      let readOnly = try ServerFixture(isReadOnly: true, measures: false)
      let (plain, answer) = (try await readOnly.page(path), try await readOnly.form(path, [:]))
      #expect(!plain.contains("<form") && answer.status == 403)
    }
  }

  @Test func halfOfTheDownloadsAreReservedForTheOwner() {
    let slots = DownloadSlots()
    var open = (0..<3).map { _ in slots.slot(for: .token("a")) }
    #expect(open.map { $0 != nil } == [true, true, false])
    open += (0..<3).map { _ in slots.slot(for: .owner) }
    #expect(open.count { $0 != nil } == DownloadSlots.maximum)
    open = []
    #expect(slots.slot(for: .token("b")) != nil)
  }

  /// A download that its reader did not continue kept a copy of the database.
  @Test func aStalledDownloadIsClosed() async throws {
    let server = try ServerFixture()
    let closed = Locked(false)
    let slots = DownloadSlots()
    var download = ExportDownload(program: server.program, slots: slots)
    download.stallLimit = .milliseconds(50)
    let request = PermittedRequest(
      request: Request(
        head: HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/"),
        body: RequestBody(buffer: ByteBuffer())),
      target: .root, holder: .token("a"), identifier: "", closeConnection: { closed.withLock { $0 = true } },
      isStillPermitted: { true })
    var response: Response? = try await download.response(["--all"], name: "copy.db", to: request)
    #expect(response?.status == .ok && slots.slot(for: .token("a")) != nil)
    try await response?.body.write(StalledWriter(closed: closed))
    #expect(closed.withLock { $0 })
    response = nil
    let free = (0..<2).map { _ in slots.slot(for: .token("a")) }
    #expect(!free.contains { $0 == nil })
  }

  /// One token opened all streams.
  @Test func theStreamsOfATokenAreLimited() {
    let hub = FeedHub()
    let names = ["a", "b", "c", "d", "e"].map(TokenHolder.token)
    let open = names.map { name in
      (0..<FeedHub.maximumPerToken + 1).compactMap { _ in hub.subscribe(after: nil, by: name) }
    }
    #expect(open.map(\.count) == [32, 32, 32, 32, 0])
    let own = (0...FeedHub.maximumSubscribers).compactMap { _ in hub.subscribe(after: nil, by: .owner) }
    #expect(own.count == FeedHub.maximumSubscribers - FeedHub.maximumOfTokens)
  }

  /// Malformed chunks were an internal error.
  @Test func malformedChunksAreAnInvalidRequest() async throws {
    let server = try ServerFixture(measures: false)
    let head = HTTPRequest(
      method: .post, scheme: "http", authority: "127.0.0.1:8077", path: "/api/journal",
      headerFields: [.authorization: "Bearer \(server.token.text)", .contentType: "application/json"])
    let body = AsyncThrowingStream<ByteBuffer, any Error> {
      $0.finish(throwing: HTTPParserError.invalidChunkSize)
    }
    let request = Request(head: head, body: RequestBody(asyncSequence: body))
    let response = await server.responder.respond(to: request, EmbeddedChannel())
    #expect(response.status.code == 400)
    #expect(!server.audit.withLock { $0.contains { $0.contains("failed:") } })
  }

  @Test func aTokenWithTooManyConnectionsIsAskedToWait() async throws {
    let server = try ServerFixture(measures: false)
    let tokens = TokenStore(path: server.folder.file("data/tokens.jsonl"))
    let token = try tokens.add("obs", .hr, at: SystemClock.wall)
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "127.0.0.1:8077", path: "/hr",
      headerFields: [.authorization: "Bearer \(token.text)"])
    var statuses: [Int] = []
    var channels: [NIOAsyncTestingChannel] = []
    for _ in 0...ConnectionLimit.maximumPerToken {
      let channel = NIOAsyncTestingChannel()
      server.responder.connections.opened(channel)
      let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
      let response = await server.responder.respond(to: request, channel)
      statuses.append(response.headers[.retryAfter] == nil ? 200 : response.status.code)
      channels.append(channel)
    }
    #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 503)
  }
}

/// A reader that accepts nothing until its connection is closed.
private struct StalledWriter: ResponseBodyWriter {
  let closed: Locked<Bool>

  mutating func write(_ buffer: ByteBuffer) async throws {
    while !closed.withLock(\.self) { try await Task.sleep(for: .milliseconds(5)) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
