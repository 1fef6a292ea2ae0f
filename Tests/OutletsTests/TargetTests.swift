import Glibc
import LiveFeed
import LiveSession
import Localization
import Platform
import TestSupport
import Testing

@testable import Outlets

@Suite struct TargetTests {
  private let defaults = TargetDefaults(
    names: [.hr], environment: ProcessEnvironment(variables: ["HOME": "/home/anna"]), profile: nil)

  private let hr = OSCContent(names: [.hr])

  @Test func formsOfOSCTargets() throws {
    var content = OSCContent(names: OSCNames.allCases)
    content.chatBox = try ValueTemplate("{hr} bpm, 100%")
    content.addresses = [try #require(OSCAddress("/a:hr:float:0.01"))]
    #expect(
      try PublishTarget("osc://?names=all&chatbox={hr}%20bpm,%20100%&send=/a:hr:float:0.01", defaults)
        == .osc(host: "127.0.0.1", port: 9000, content))
    #expect(try PublishTarget("osc://", defaults) == .osc(host: "127.0.0.1", port: 9000, hr))
    #expect(try PublishTarget("osc:", defaults) == .osc(host: "127.0.0.1", port: 9000, hr))
    #expect(
      try PublishTarget("osc://[::1]:9005?names=heartrate", defaults)
        == .osc(host: "::1", port: 9005, OSCContent(names: [.heartrate])))
  }

  @Test func formsOfFiles() throws {
    #expect(try PublishTarget("file:hr.txt", defaults) == .file(path: "hr.txt", .value(.hr)))
    #expect(try PublishTarget("file:///run/hr", defaults) == .file(path: "/run/hr", .value(.hr)))
    #expect(
      try PublishTarget("file:~/stress?value=stress", defaults)
        == .file(path: "/home/anna/stress", .value(.stress)))
    #expect(
      try PublishTarget("file:a?text={hr} bpm", defaults)
        == .file(path: "a", .text(try ValueTemplate("{hr} bpm"))))
    #expect(try PublishTarget("file:a.prom?format=prometheus", defaults) == .file(path: "a.prom", .metrics))
  }

  @Test func formsOfMQTTTargets() throws {
    let options = MQTTOptions(host: "broker.lan", port: 1883, usesTLS: false)
    #expect(
      try PublishTarget("mqtt://broker.lan/lab", defaults)
        == .mqtt(options, MQTTDevice(identity: OutletIdentity(id: "lab"))))
    let secure = try PublishTarget(
      "mqtts://broker.lan?credentials=~/c&ca=/ca&cert=/cert&key=/key", defaults)
    guard case .mqtt(let parsed, _) = secure else { throw Unexpected() }
    #expect(parsed.port == 8883 && parsed.usesTLS && parsed.credentials == "/home/anna/c")
    #expect(parsed.authorities == "/ca" && parsed.certificate == "/cert" && parsed.key == "/key")
    #expect(secure.warning == nil)
  }

  @Test func formsOfTargetsOfEvents() throws {
    var events = EventEncoder.Options()
    events.kinds = [.category, .mark]
    events.interval = 60
    #expect(
      try PublishTarget(
        "http://[::1]:8123/api/webhook/x?secret=~/key&events=category,mark&interval=60", defaults)
        == .webhook(
          WebhookOptions(host: "::1", port: 8123, path: "/api/webhook/x", secret: "/home/anna/key"), events))
    #expect(
      try PublishTarget("exec:~/bin/notify?arg=-a&arg=b%20c", defaults)
        == .program(path: "/home/anna/bin/notify", arguments: ["-a", "b c"], EventEncoder.Options()))
  }

  @Test func formsOfLSLTargets() throws {
    let identity = OutletIdentity(defaults.environment, profile: nil)
    #expect(try PublishTarget("lsl:", defaults) == .lsl(name: "stressmon", identity))
    #expect(try PublishTarget("lsl:anna", defaults) == .lsl(name: "anna", identity))
  }

  @Test func aPasswordWithoutTLSIsAWarning() throws {
    let warning = try PublishTarget("mqtt://broker.lan?credentials=/c", defaults).warning
    #expect(Language.english.text(try #require(warning)).contains("mqtts://"))
    #expect(try PublishTarget("mqtt://127.0.0.1?credentials=/c", defaults).warning == nil)
  }

  @Test(arguments: [
    "", "9000", "https://x", "http://", "http://x?y=z", "http://x?events=z", "exec:true", "exec:",
    "exec:/a?interval=0", "osc://x:0", "osc://x:70000", "osc://x:y", "osc://x/path", "osc://?names=x",
    "file:",
    "file:///", "file://host/x", "file:x?value=y", "file:x?text={y}", "file:x?format=y", "osc://?chatbox={",
    "osc://?send=a", "mqtt://", "mqtt://x?ca=/ca",
    "mqtts://x?cert=/cert", "mqtt://x?unknown=1", "lsl://x", "lsl:x?y=z",
  ])
  func invalidTargetsAreNamedWithExamples(text: String) throws {
    let error = try #require(throws: OutletError.self) { _ = try PublishTarget(text, defaults) }
    #expect(error.description.contains("'\(text)'") && error.description.contains("osc://127.0.0.1:9000"))
  }

  @Test func credentialsAreTwoLinesThatOnlyTheOwnerCanRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("anna\nsecret\n", to: "credentials")
    #expect(chmod(path, 0o644) == 0)
    let open = try #require(throws: CredentialsFile.Invalid.self) { _ = try CredentialsFile(path: path) }
    #expect(open.description.contains("chmod 600 \(path)"))
    #expect(chmod(path, 0o600) == 0)
    let credentials = try CredentialsFile(path: path)
    #expect(credentials.user == "anna" && credentials.password == "secret")
    let short = try folder.write("anna\n", to: "short")
    #expect(chmod(short, 0o600) == 0)
    #expect(throws: CredentialsFile.Invalid.self) { _ = try CredentialsFile(path: short) }
    #expect(throws: CredentialsFile.Invalid.self) { _ = try CredentialsFile(path: folder.file("missing")) }
  }

  /// Regression: a password was part of the message, and the message did not say where to write it.
  @Test(arguments: [
    "mqtt://anna:secret@x", "mqtts://anna:secret@x:8883/lab", "mqtt://anna:secret/secret@x",
    "MQTT://anna:secret?@x",
    "mqtt://anna@x?credentials=secret", "mqtts://anna:secret@x?ca=ca.pem",
  ])
  func aPasswordInATargetIsRefusedAndNotRepeated(text: String) throws {
    let error = try #require(throws: OutletError.self) { _ = try PublishTarget(text, defaults) }
    #expect(!error.description.contains("anna") && !error.description.contains("anna:secret"))
    #expect(error.description.contains("add ?credentials=FILE") && error.description.contains("...@x"))
  }

  @Test(arguments: [
    "osc://anna:secret@x", "lsl://anna:secret@x", "file://anna:secret@x/hr", "http://anna:secret@x",
  ])
  func otherTargetsTakeNoUser(text: String) throws {
    let error = try #require(throws: OutletError.self) { _ = try PublishTarget(text, defaults) }
    #expect(!error.description.contains("secret") && error.description.contains("no user name"))
  }

  @Test(arguments: [
    "file:///run/a@b", "file:a@b", "lsl:a@b", "mqtt://x/a@b", "mqtt://x?credentials=/home/a@b/c",
  ])
  func anAtSignAfterTheHostIsNoUser(text: String) throws { _ = try PublishTarget(text, defaults) }

  private struct Unexpected: Error {}
}

@Suite struct DeliveryStatusTests {
  private let second: Int64 = 1_000_000_000

  /// Regression: `publish --list` showed the error of an interruption for ever.
  @Test func anErrorPassesWithADeliveryAfterIt() {
    var shared = TargetWorker.Shared(status: TargetStatus(target: "osc://"))
    shared.failed(OutletError(Phrase("refused")), at: 100 * second)
    shared.delivered(1, at: 104 * second)
    #expect(shared.status.lastError == Phrase("refused") && shared.status.delivered == 1)
    shared.delivered(0, at: 200 * second)
    #expect(shared.status.lastError == Phrase("refused"))
    shared.delivered(2, at: 105 * second)
    #expect(shared.status.lastError == nil && shared.status.delivered == 3)
  }
}

@Suite struct PublisherStatusTests {
  @Test func theStateOfARunningProcessIsReadBack() throws {
    let folder = try TemporaryFolder()
    let environment = ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": folder.path])
    var target = TargetStatus(target: "osc://")
    (target.state, target.lastError, target.delivered, target.dropped) = (
      .retrying, Phrase("no \"route\""), 3, 4
    )
    let status = PublisherStatus(process: getpid(), lostLines: 5, targets: [target])
    try status.save(environment)
    let path = folder.file("stressmon/publish/\(getpid()).json")
    var file = stat()
    #expect(stat(path, &file) == 0 && file.st_mode & 0o777 == 0o600)
    #expect(PublisherStatus.all(environment) == [status])
    status.remove(environment)
    #expect(PublisherStatus.all(environment) == [])
  }
}
