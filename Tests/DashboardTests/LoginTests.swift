import HTTPTypes
import LiveFeed
import NIOCore
import Platform
import TestSupport
import Testing

@testable import Dashboard

/// Login codes, cookies, and the owners of connections.
@Suite struct LoginTests {
  private let pages = "\(ServerFixture.label).localhost:8077"

  @Test func aBrowserLogsInOnceAndStaysLoggedInUntilItIsRemoved() async throws {
    let server = try ServerFixture(measures: false)
    let code = try server.codes.add().text
    let first = try await server.request("GET", "/history?code=\(code)", host: "127.0.0.1:8077")
    #expect(first.status == 303 && first.headers[.location] == "http://\(pages)/history?code=\(code)")
    #expect(first.headers[.setCookie] == nil)
    let agent: HTTPFields = [
      .userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    ]
    let second = try await server.request("GET", "/history?code=\(code)", headers: agent, host: pages)
    #expect(second.status == 200 && second.text.contains("content=\"0; url=/history\""))
    let cookie = try #require(second.headers[.setCookie])
    #expect(cookie.contains("; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000"))
    let sent: HTTPFields = [.cookie: String(cookie.prefix { $0 != ";" })]
    #expect(try await server.request("GET", "/", headers: sent, host: pages).status == 200)
    #expect(try await server.request("GET", "/", headers: sent, host: "127.0.0.1:8077").status == 401)
    #expect(try await server.request("GET", "/?code=\(code)", host: pages).status == 401)
    // The same URL again, in the same browser.
    let again = try await server.request("GET", "/history?code=\(code)", headers: sent, host: pages)
    #expect(again.status == 303 && again.headers[.location] == "/history")
    #expect(try await server.page("/settings/tokens").contains("Firefox-1"))
    #expect(try await server.form("/settings/tokens/browsers/remove", ["name": "Firefox-1"]).status == 303)
    #expect(try await server.request("GET", "/", headers: sent, host: pages).status == 401)
  }

  @Test func aLoginKeepsTheProfileOfThePage() async throws {
    let server = try ServerFixture(measures: false)
    let code = try server.codes.add().text
    let target = "/history?profile=a%26b&code=\(code)"
    let first = try await server.request("GET", target, host: "127.0.0.1:8077")
    #expect(first.headers[.location] == "http://\(pages)\(target)")
    let second = try await server.request("GET", target, host: pages)
    #expect(second.text.contains("content=\"0; url=/history?profile=a%26b\""))
  }

  @Test func aRemovedTokenEndsItsStreams() async throws {
    let server = try ServerFixture(measures: false)
    let tokens = TokenStore(path: server.folder.file("data/tokens.jsonl"))
    let token = try tokens.add("obs", .widget, at: SystemClock.wall).text
    async let answer = server.request("GET", "/events?token=\(token)", host: "127.0.0.1:8077")
    func send(_ number: Int) {
      let session = "01KAAAAAAAAAAAAAAAAAAAAAAA"
      server.hub.receive(.line(FeedLine(session: session, number: number, bytes: Array("{}".utf8))))
    }
    while server.hub.subscriberCount == 0 { await Task.yield() }
    try tokens.remove("obs")
    send(1)
    server.hub.stop()
    let received = try await answer
    #expect(received.status == 200 && !received.text.contains("data:"))
  }

  @Test(arguments: ["//evil.example/", "/\\evil", "/%22%3E%3Cscript%3E", "/a%0d%0aSet-Cookie:x"])
  func aLoginContinuesOnThisServerOnly(path: String) async throws {
    let server = try ServerFixture(measures: false)
    let code = try server.codes.add().text
    let answer = try await server.request("GET", "\(path)?code=\(code)", host: "127.0.0.1:8077")
    #expect(answer.headers[.location] == "http://\(pages)/?code=\(code)")
    let login = try await server.request("GET", "\(path)?code=\(code)", host: pages)
    #expect(login.text.contains("content=\"0; url=/\""))
  }

  /// Rows of proc(5): a client of user 1000, a closed one, an IPv4 client of an IPv6 socket, and a port that is used again.
  @Test func theOwnerOfAConnectionIsFoundInTheTablesOfTheKernel() throws {
    let table = [CChar](
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F8D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 31337 1 0000000000000000 100 0 0 10 0
         1: 0100007F:D431 0100007F:1F8D 01 00000000:00000000 00:00000000 00000000  1000        0 31338 1 0000000000000000 20 4 30 10 -1
         2: 0100007F:1F8D 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1001        0 31339 1 0000000000000000 20 4 30 10 -1
         3: 0100007F:D432 0100007F:1F8D 06 00000000:00000000 03:0000176F 00000000     0        0 0 3 0000000000000000
         4: 0000000000000000FFFF00000100007F:D433 0000000000000000FFFF00000100007F:1F8D 01 00000000:00000000 00:00000000 00000000  1002        0 31340 1 0000000000000000 20 4 30 10 -1
         5: 00000000000000000000000001000000:D434 00000000000000000000000001000000:1F8D 01 00000000:00000000 00:00000000 00000000  1003        0 31341 1 0000000000000000 20 4 30 10 -1
         6: 0100007F:D437 0100007F:1F8D 06 00000000:00000000 03:0000176F 00000000     0        0 0 3 0000000000000000
         7: 0100007F:D437 0100007F:1F8D 01 00000000:00000000 00:00000000 00000000  1004        0 31342 1 0000000000000000 20 4 30 10 -1

      """.utf8CString)
    func user(_ address: String, _ port: Int) throws -> UInt32? {
      ConnectionOwner.user(
        in: table,
        ConnectionOwner.patterns(
          try NIOCore.SocketAddress(ipAddress: address, port: port),
          try NIOCore.SocketAddress(ipAddress: address, port: 8077)
        ))
    }
    #expect(try user("127.0.0.1", 0xD431) == 1000)
    #expect(try user("127.0.0.1", 0xD432) == nil && user("127.0.0.1", 0xD435) == nil)
    #expect(try user("127.0.0.1", 0xD433) == 1002)
    #expect(try user("::1", 0xD434) == 1003 && user("127.0.0.1", 0xD437) == 1004)
  }
}
