import Glibc
import JSONLines
import LiveFeed
import LiveSession
import Platform
import Stress
import Testing

@testable import Outlets

@Suite struct MQTTTests {
  private let device = MQTTDevice(identity: OutletIdentity(id: "abc"))
  private let second: Int64 = 1_000_000_000

  private func event(_ values: LiveValues) -> TimedEvent { TimedEvent(.values(values), at: 0) }

  private let link = "stressmon/abc/link"
  private let state = "stressmon/abc/state"
  private let status = "stressmon/abc/status"
  private let properties = "stressmon/abc/device"

  @Test func theStateIsOneJSONObjectThatIsNotRetained() {
    var encoder = MQTTEncoder(device: device)
    let messages = encoder.encode(event(.example), at: 0)
    #expect(messages.map(\.topic) == [properties, link, state])
    #expect(messages[1].text == "online" && messages[1].isRetained && messages[1].qos == 1)
    #expect(
      messages[2].text
        == #"{"hr_bpm":102,"rmssd_ms":50,"sdnn_ms":40,"stress":25,"category":"mild","confidence":0.5,"battery_percent":95}"#
    )
    #expect(!messages[2].isRetained && messages[2].qos == 0)
  }

  @Test func batteryAndPersonRemainBetweenSessions() {
    var device = device
    device.name = "Anna"
    var encoder = MQTTEncoder(device: device)
    #expect(
      encoder.connected(at: 0)[1].text
        == #"{"person":"Anna","battery_percent":null,"connected":false,"worn":null,"measuring":false}"#)
    var live = LiveValues.example
    var hello = FeedHello(version: "1", session: "01K", profile: "anna", started: "", isSimulated: false)
    hello.state = "connected"
    live.session = LiveValues(LiveSnapshot(hello), isLive: false).session
    live.session?.isWorn = true
    #expect(
      encoder.encode(event(live), at: 0)[0].text
        == #"{"person":"Anna","battery_percent":95,"connected":true,"worn":true,"measuring":true}"#)
    let ended = encoder.encode(event(.withdrawn), at: 1)[0]
    #expect(
      ended.text == #"{"person":"Anna","battery_percent":95,"connected":false,"worn":null,"measuring":false}"#
    )
    #expect(ended.isRetained)
  }

  @Test func optionsOfTheDevice() throws {
    let defaults = TargetDefaults(names: [.hr], environment: ProcessEnvironment(variables: [:]), profile: nil)
    let target = try PublishTarget(
      "mqtt://x/lab?name=Zo%C3%AB%20P&base=home/heart&discovery=ha&commands=on&interval=5&page=https://a/b",
      defaults)
    guard case .mqtt(_, let device) = target else { throw Unexpected() }
    #expect(device.state == "home/heart/lab/state" && device.config == "ha/device/stressmon_lab/config")
    #expect(device.name == "Zoë P" && device.entityPrefix == "stressmon_zo_p" && device.interval == 5)
    let object = try JSONObject(HomeAssistantDiscovery(device: device).payload)
    let components = try #require(object["components"].flatMap(object.object))
    let mark = try #require(components["mark"].flatMap(components.object))
    #expect(mark.text("command_topic") == "home/heart/lab/command" && mark.text("payload_press") == "mark")
    #expect(mark.text("default_entity_id") == "button.stressmon_zo_p_mark")
    for option in ["base=a/", "base=+", "discovery=", "commands=yes", "page=x", "interval=0", "name="] {
      #expect(throws: OutletError.self) { _ = try PublishTarget("mqtt://x?\(option)", defaults) }
    }
  }

  @Test func commandsAreNotAnnouncedByDefault() throws {
    let text = String(decoding: HomeAssistantDiscovery(device: device).payload, as: UTF8.self)
    #expect(!text.contains("button") && !text.contains("person"))
  }

  @Test func removalEmptiesEachRetainedTopic() {
    var encoder = MQTTEncoder(device: device)
    let retained = Set(
      (encoder.connected(at: 0) + encoder.encode(event(.example), at: 0)).filter(\.isRetained).map(\.topic))
    let removal = MQTTRemovalEncoder(device: device).connected(at: 0)
    #expect(Set(removal.map(\.topic)) == retained)
    #expect(removal.allSatisfy { $0.isRetained && $0.payload.isEmpty })
  }

  private struct Unexpected: Error {}

  @Test func aStateIsSentEveryTenSecondsAndWhenTheCategoryChanges() throws {
    var encoder = MQTTEncoder(device: device)
    _ = encoder.encode(event(.example), at: 0)
    #expect(encoder.encode(event(.example), at: 9 * second) == [])
    let deadline = try #require(encoder.nextDeadline)
    #expect(deadline < 10 * second)
    #expect(encoder.due(at: deadline).map(\.topic) == [state])
    var changed = LiveValues.example
    changed.category = .high
    #expect(encoder.encode(event(changed), at: deadline + 1).map(\.topic) == [state])
    #expect(encoder.nextDeadline == deadline + 1 + encoder.interval)
  }

  @Test func withdrawnValuesAreNullAndNeverRepeated() {
    var encoder = MQTTEncoder(device: device)
    _ = encoder.encode(event(.example), at: 0)
    let messages = encoder.encode(event(.withdrawn), at: second)
    #expect(messages.map(\.topic) == [link, state])
    #expect(messages[0].text == "offline")
    #expect(
      messages[1].text
        == #"{"hr_bpm":null,"rmssd_ms":null,"sdnn_ms":null,"stress":null,"category":null,"confidence":null,"battery_percent":null}"#
    )
    #expect(encoder.nextDeadline == nil)
    #expect(encoder.encode(event(.withdrawn), at: 2 * second) == [])
    #expect(encoder.due(at: 100 * second) == [])
  }

  @Test func aConnectionBeginsWithDiscoveryThenLinkThenStatus() {
    var encoder = MQTTEncoder(device: device)
    let stale = encoder.connected(at: 0)
    #expect(stale.map(\.topic) == ["homeassistant/device/stressmon_abc/config", properties, link, status])
    #expect(stale.map(\.isRetained) == [true, true, true, true])
    #expect(stale[2].text == "offline" && stale[3].text == "online")
    _ = encoder.encode(event(.example), at: 0)
    #expect(encoder.connected(at: 1).map(\.topic) == stale.map(\.topic) + [state])
    #expect(encoder.closing().map(\.text) == ["offline"])
  }

  @Test("Discovery follows the rules of device discovery of Home Assistant")
  func discovery() throws {
    let payload = HomeAssistantDiscovery(device: device).payload
    let object = try JSONObject(payload)
    #expect(object["origin"].flatMap(object.object)?.text("name") == "stressmon")
    #expect(object.text("state_topic") == state)
    #expect(object.text("availability_mode") == "all")
    let topics = object["availability"].flatMap(object.elements)?.compactMap {
      object.object($0)?.text("topic")
    }
    #expect(topics == [status, link])
    let components = try #require(object["components"].flatMap(object.object))
    let heartRate = try #require(components["heart_rate"].flatMap(components.object))
    #expect(heartRate.text("platform") == "sensor")
    #expect(heartRate.text("unique_id") == "stressmon_abc_heart_rate")
    #expect(heartRate.text("default_entity_id") == "sensor.stressmon_heart_rate")
    #expect(heartRate.text("state_class") == "measurement")
    #expect(heartRate.text("value_template") == "{{ value_json.hr_bpm }}")
    #expect(heartRate.value("expire_after") == 30)
    // A text sensor has neither unit nor state class.
    let category = try #require(components["category"].flatMap(components.object))
    #expect(category.text("device_class") == "enum")
    #expect(category.text("state_class") == nil && category.text("unit_of_measurement") == nil)
  }

  @Test(arguments: [
    ("abc-1_Z", "abc-1_Z"), ("a/b", "a_2fb"), ("+#", "_2b_23"), ("Jürgen", "J_c3_bcrgen"), ("a b", "a_20b"),
  ])
  func theDeviceIDIsEscaped(text: String, id: String) {
    #expect(OutletIdentity(id: text).id == id)
  }

  @Test func theDefaultDeviceDependsOnTheProfileAndDoesNotContainIt() {
    let environment = ProcessEnvironment(variables: ["HOME": "/home/anna"])
    let anna = OutletIdentity(environment, profile: "anna")
    #expect(anna == OutletIdentity(environment, profile: "anna"))
    #expect(anna.id != OutletIdentity(environment, profile: "ben").id)
    #expect(anna.id.count == 8 && anna.id.allSatisfy(\.isHexDigit))
  }
}

/// Regression: libmosquitto reports "A TLS error occurred." for all of these.
@Suite struct TLSFailureTests {
  private var options = MQTTOptions(host: "broker.lan", port: 1883, usesTLS: true)

  @Test(arguments: [
    (
      ["OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"],
      "its issuer is not among the trusted authorities (those of the system); add ca=FILE"
    ),
    (
      [
        "Error: host name verification failed.",
        "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed",
      ], "not issued for 'broker.lan'"
    ),
    (
      ["OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number"], "does not use TLS at port 1883"
    ),
    (
      ["OpenSSL Error[0]: error:0A000126:SSL routines::unexpected eof while reading"],
      "if it does not use TLS at port 1883"
    ),
    (["OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required"], "add cert=FILE"),
    (["OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca"], "refuses the connection"),
    (["something else"], "something else; check host"),
  ])
  func theCauseIsNamed(errors: [String], text: String) throws {
    #expect(try #require(TLSFailure(errors, options)).description.contains(text))
  }

  @Test func nothingIsKnownWithoutAnError() {
    #expect(TLSFailure([], options) == nil)
    #expect(TLSFailure([], options, systemError: ECONNREFUSED) == nil)
  }

  /// libmosquitto returns EPROTO without a text if the broker ends the handshake while the connection is being made.
  @Test func protocolErrorIsARefusedHandshake() throws {
    let refused = try #require(TLSFailure([], options, systemError: EPROTO)).description
    #expect(refused.hasPrefix("the broker refuses the connection with TLS (Protocol error); "))
    let logged = ["OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number"]
    #expect(TLSFailure(logged, options, systemError: EPROTO) == TLSFailure(logged, options))
  }

  @Test(arguments: ["ca", "cert", "key"])
  func aMissingFileIsNamedWithItsOption(option: String) throws {
    var options = options
    let path = "/nowhere/file.pem"
    switch option {
    case "ca": options.authorities = path
    case "cert": options.certificate = path
    default: options.key = path
    }
    let error = try #require(throws: OutletError.self) { try TLSFailure.checkFiles(of: options) }
    #expect(error.description.contains(path) && error.description.contains("\(option)=FILE"))
  }
}

extension MQTTMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }
}
