import Glibc
import TestSupport
import Testing

@testable import Fleet

struct FleetServerTests {
  @Test func parses() throws {
    let server = try FleetServer(
      "nats://a,b:4223,[::1]:4224/sleep?credentials=/c&receiver=R1", allowing: ["receiver"])
    #expect(server.urls == ["nats://a:4222", "nats://b:4223", "nats://[::1]:4224"])
    #expect(server.study.text == "sleep")
    #expect(server.stream == "lab-sleep")
    #expect(server.credentials == "/c")
    #expect(server.options == ["receiver": "R1"])
    #expect(!server.usesTLS)
    #expect(server.warning?.contains("without encryption") == true)
    #expect(try FleetServer("nats://127.0.0.1/s").warning == nil)
  }

  @Test func aCertificateRequiresTLS() throws {
    #expect(try FleetServer("tls://a/s").urls == ["tls://a:4222"])
    #expect(try FleetServer("nats://a/s?ca=/ca").urls == ["tls://a:4222"])
    #expect(try FleetServer("nats://a/s?cert=/c&key=/k").usesTLS)
  }

  @Test(arguments: [
    "nats://a", "nats:///s", "nats://a,,b/s", "mqtt://a/s", "nats://a/s.t", "nats://a/s?x=1",
    "nats://a/s?ca=",
    "nats://user:password@a/s", "nats://user@a/s", "nats://a/s?cert=/c", "nats://a/s?receiver=R1",
    "nats://a:0/s",
  ])
  func rejects(_ text: String) {
    let error = #expect(throws: FleetError.self) { try FleetServer(text) }
    #expect(error?.code == .usage)
  }

  @Test func credentials() throws {
    let folder = try TemporaryFolder()
    let password = try folder.write("ben\nsecret\n", to: "password")
    let file = try folder.write("-----BEGIN NATS USER JWT-----\neyJ\n", to: "creds")
    #expect(throws: FleetError.self) { try ServerCredentials(path: password) }
    #expect(throws: FleetError.self) { try ServerCredentials(path: file) }
    chmod(password, 0o600)
    chmod(file, 0o600)
    #expect(try ServerCredentials(path: password) == .password(user: "ben", "secret"))
    #expect(try ServerCredentials(path: file) == .file(file))
  }
}
