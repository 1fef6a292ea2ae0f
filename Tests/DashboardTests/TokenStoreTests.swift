import Glibc
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Dashboard

@Suite struct TokenStoreTests {
  private let folder: TemporaryFolder
  private let store: TokenStore
  private let time = WallTime(rfc3339: "2026-11-21T07:30:00Z")!

  init() throws {
    folder = try TemporaryFolder(prefix: "tokens")
    store = TokenStore(path: folder.file("data/tokens.jsonl"))
  }

  @Test func aTokenIsStoredAsDigestInAFileOfTheOwner() throws {
    let token = try store.add("obs", .hr, at: time)
    #expect(token.text.utf8.count == 43)
    let entry = try #require(store.entries().first)
    #expect(entry.name == "obs" && entry.scope == .hr && entry.created == time.rfc3339)
    #expect(entry.digest == token.digest)
    let text = try #require(contents(store.path))
    #expect(!text.contains(token.text) && text.contains(token.digest.hex))
    var status = stat()
    #expect(unsafe stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  /// FIPS 180-4, example of "abc".
  @Test func theDigestIsSHA256() {
    #expect(
      TokenDigest(of: "abc").hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  /// RFC 4648, section 10, and the characters in which base64url differs from base64.
  @Test func tokensAreBase64URL() {
    var zeros = FixedGenerator(value: 0)
    #expect(AccessToken(using: &zeros).text == String(repeating: "A", count: 43))
    var ones = FixedGenerator(value: .max)
    #expect(AccessToken(using: &ones).text == String(repeating: "_", count: 42) + "8")
  }

  @Test func namesAreUniqueAndPlain() throws {
    _ = try store.add("obs", .hr, at: time)
    #expect(throws: TokenStoreError.self) { try store.add("obs", .read, at: time) }
    for name in ["", "a b", "../x", "<script>", "\u{1B}[31m", String(repeating: "a", count: 65)] {
      #expect(throws: TokenStoreError.self) { try store.add(name, .hr, at: time) }
    }
    #expect(throws: TokenStoreError.self) { try store.remove("prometheus") }
    #expect(try store.entries().map(\.name) == ["obs"])
  }

  @Test func aDamagedFileIsReportedAndPermitsNothing() throws {
    let token = try store.add("obs", .hr, at: time)
    let file = try #require(unsafe fopen(store.path, "a"))
    unsafe fputs("{\"name\":\"x\"}\n", file)
    unsafe fclose(file)
    #expect(throws: TokenStoreError.self) { try store.entries() }
    let verifier = TokenVerifier(start: AccessToken(), tokens: store, browsers: nil)
    #expect(verifier.grant(ofBearer: token.text) == nil)
  }

  /// Regression: of 40 concurrent additions, 27 were lost.
  @Test func concurrentAdditionsAreKept() async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for index in 0..<40 {
        tasks.addTask { _ = try store.add("t\(index)", .hr, at: time) }
      }
      try await tasks.waitForAll()
    }
    #expect(Set(try store.entries().map(\.name)) == Set((0..<40).map { "t\($0)" }))
  }

  @Test func theFirstBrowsersAreReplaced() throws {
    let browsers = TokenStore(path: folder.file("data/browsers.jsonl"), scopes: [.full])
    for _ in 0..<3 { _ = try browsers.addNumbered("Firefox", .full, at: time, limit: 3) }
    #expect(try browsers.entries().map(\.name) == ["Firefox-1", "Firefox-2", "Firefox-3"])
    _ = try browsers.addNumbered("Firefox", .full, at: time, limit: 3)
    #expect(try browsers.entries().map(\.name) == ["Firefox-2", "Firefox-3", "Firefox-1"])
    // A permanent token cannot have the scope of a browser.
    #expect(throws: TokenStoreError.self) { try TokenStore(path: browsers.path).entries() }
  }

  @Test func codesExpireAndTheHostIsStored() throws {
    let environment = ProcessEnvironment(variables: [
      "XDG_RUNTIME_DIR": folder.file("run"), "XDG_DATA_HOME": folder.file("home"),
    ])
    let codes = try LoginCodes(environment)
    let code = try codes.add()
    #expect(codes.contains(code.text) && !codes.contains("") && !codes.contains("../../serve"))
    let file = folder.file("run/stressmon/serve/codes/\(code.digest.hex)")
    var old = utimbuf(actime: 0, modtime: time_t(SystemClock.wall.microseconds / 1_000_000) - 86_401)
    #expect(unsafe utime(file, &old) == 0)
    #expect(!codes.contains(code.text) && !codes.redeem(code.text))
    let host = try PrivateHost(environment)
    #expect(try PrivateHost(environment) == host && host.name.utf8.count == 42)
    for text in ["", "evil.example", String(repeating: "A", count: 32), String(repeating: "a", count: 33)] {
      try folder.write(text, to: "home/stressmon/serve-host")
      #expect(try PrivateHost(environment).name.utf8.count == 42)
    }
  }

  private func contents(_ path: String) -> String? {
    try? ByteSource(path: path).readAll(limit: 1 << 16).map { String(decoding: $0, as: UTF8.self) }
  }
}

private struct FixedGenerator: RandomNumberGenerator {
  let value: UInt64
  mutating func next() -> UInt64 { value }
}
