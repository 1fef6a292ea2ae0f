import Glibc
import Localization
import Platform
import TestSupport
import Testing

@testable import Fleet

struct NatsURLTests {
  @Test func parses() throws {
    let server = try NatsURL(
      "nats://a,b:4223,[::1]:4224/sleep?credentials=/c&receiver=R1", allowing: ["receiver"])
    #expect(server.urls == ["nats://a:4222", "nats://b:4223", "nats://[::1]:4224"])
    #expect(server.study.text == "sleep")
    #expect(server.stream == "fleet-sleep")
    #expect(server.credentials == "/c")
    #expect(server.options == ["receiver": "R1"])
    #expect(!server.usesTLS)
    #expect(Language.english.text(try #require(server.warning)).contains("without encryption"))
    #expect(try NatsURL("nats://127.0.0.1/s").warning == nil)
  }

  @Test func aCertificateRequiresTLS() throws {
    #expect(try NatsURL("tls://a/s").urls == ["tls://a:4222"])
    #expect(try NatsURL("nats://a/s?ca=/ca").urls == ["tls://a:4222"])
    #expect(try NatsURL("nats://a/s?cert=/c&key=/k").usesTLS)
  }

  @Test(arguments: [
    "nats://a", "nats:///s", "nats://a,,b/s", "mqtt://a/s", "nats://a/s.t", "nats://a/s?x=1",
    "nats://a/s?ca=",
    "nats://user:password@a/s", "nats://user@a/s", "nats://a/s?cert=/c", "nats://a/s?receiver=R1",
    "nats://a:0/s",
  ])
  func rejects(_ text: String) {
    let error = #expect(throws: FleetError.self) { try NatsURL(text) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: [
    "nats://ann:secret@a/s", "tls://secret@a,b/s", "nats://ann:secret@a", "nats://ann:secret/x@a/s",
  ])
  func passwordsAreNotRepeated(_ text: String) {
    let error = #expect(throws: FleetError.self) { try NatsURL(text) }
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("?credentials=FILE") == true)
  }

  @Test func pathsBeginInTheHomeDirectory() throws {
    let environment = ProcessEnvironment(variables: ["HOME": "/home/ann"])
    let url = try NatsURL("nats://a/s?credentials=~/c&ca=/ca", environment)
    #expect(url.credentials == "/home/ann/c" && url.authorities == "/ca")
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
