import HeartRate
import LiveSession
import Stress
import Testing

@testable import Outlets

@Suite struct OSCTests {
  /// Bytes of text with `0` for a zero byte and `\` before a byte in hexadecimal digits.
  private func bytes(_ text: String, _ data: [UInt8] = []) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "0") ? 0 : $0 } + data
  }

  @Test func anIntegerIsBigEndianAfterPaddedAddressAndTag() {
    #expect(OSCMessage("/a", .int(72)).bytes == bytes("/a00,i00", [0, 0, 0, 72]))
    #expect(OSCMessage("/abc", .int(-1)).bytes == bytes("/abc0000,i00", [255, 255, 255, 255]))
    #expect(OSCMessage("/ab", .int(256)).bytes == bytes("/ab0,i00", [0, 0, 1, 0]))
  }

  @Test func aFloatIsIEEE754() {
    #expect(OSCMessage("/abcde", .float(-0.5)).bytes == bytes("/abcde00,f00", [0xBF, 0, 0, 0]))
  }

  @Test func aBooleanHasNoData() {
    #expect(OSCMessage("/abcdefg", .bool(true)).bytes == bytes("/abcdefg0000,T00"))
    #expect(OSCMessage("/a", .bool(false)).bytes == bytes("/a00,F00"))
  }

  private func parameter(_ name: String, _ argument: OSCMessage.Argument) -> [UInt8] {
    OSCMessage("/avatar/parameters/" + name, argument).bytes
  }

  @Test func valuesOfTheDefaultNames() {
    var encoder = OSCEncoder(OSCContent(names: [.hr]))
    let messages = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    #expect(
      messages == [
        parameter("isHRConnected", .bool(true)), parameter("isHRActive", .bool(true)),
        parameter("HR", .int(102)), parameter("onesHR", .int(2)), parameter("tensHR", .int(0)),
        parameter("hundredsHR", .int(1)), parameter("floatHR", .float(102 / 127.5 - 1)),
        parameter("HRPercent", .float(0.68)), parameter("hasStress", .bool(true)),
        parameter("stress", .float(0.25)),
        parameter("confidence", .float(0.5)), parameter("rmssd", .int(50)), parameter("HRBattery", .int(95)),
      ])
  }

  @Test func valuesOfTheSecondFamily() {
    var encoder = OSCEncoder(OSCContent(names: [.heartrate]))
    let messages = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    #expect(
      messages == [
        parameter("HeartRateInt", .int(102)), parameter("HeartRate3", .int(102)),
        parameter("HeartRateFloat", .float(102 / 127.5 - 1)), parameter("HeartRate", .float(102 / 127.5 - 1)),
        parameter("HeartRateFloat01", .float(0.4)), parameter("HeartRate2", .float(0.4)),
        parameter("hasStress", .bool(true)), parameter("stress", .float(0.25)),
        parameter("confidence", .float(0.5)), parameter("rmssd", .int(50)),
      ])
  }

  @Test func valuesOfVRCOSCAndOfVard() {
    var encoder = OSCEncoder(OSCContent(names: [.vard, .vrcosc]))
    let messages = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    let prefix = "VRCOSC/Heartrate/"
    #expect(
      messages == [
        parameter("Heartrate", .float(102.0 / 127 - 1)), parameter("Heartrate2", .float(0.4)),
        parameter("Heartrate3", .int(102)), parameter(prefix + "Connected", .bool(true)),
        parameter(prefix + "Enabled", .bool(true)), parameter(prefix + "Value", .int(102)),
        parameter(prefix + "Normalised", .float(0.425)), parameter(prefix + "Average", .int(99)),
        parameter(prefix + "Units", .float(0.2)), parameter(prefix + "Tens", .float(0)),
        parameter(prefix + "Hundreds", .float(0.1)), parameter("hasStress", .bool(true)),
        parameter("stress", .float(0.25)), parameter("confidence", .float(0.5)), parameter("rmssd", .int(50)),
      ])
    let beat = TimedEvent(.beat(RRInterval(gattUnits: 1024)), at: 0)
    #expect(encoder.encode(beat, at: 1) == [parameter(prefix + "Beat", .bool(true))])
  }

  @Test func sharedParametersOfAllFamiliesAreSentOnce() {
    var encoder = OSCEncoder(OSCContent(names: OSCNames.allCases))
    let beats = encoder.encode(TimedEvent(.beat(RRInterval(gattUnits: 1024)), at: 0), at: 1)
    #expect(beats.count(where: { $0 == parameter("HeartBeatToggle", .bool(true)) }) == 1)
  }

  @Test func theChatBoxIsLimitedAndRemoved() throws {
    var content = OSCContent(names: [])
    content.chatBox = try ValueTemplate("♥ {hr} bpm")
    var encoder = OSCEncoder(content)
    let second: Int64 = 1_000_000_000
    func text(_ text: String) -> [[UInt8]] {
      [OSCMessage("/chatbox/input", .string(text), .bool(true), .bool(false)).bytes]
    }
    var values = LiveValues.example
    #expect(encoder.encode(TimedEvent(.values(values), at: 0), at: 0) == text("♥ 102 bpm"))
    values.heartRate = 103
    #expect(encoder.encode(TimedEvent(.values(values), at: 0), at: second) == [])
    #expect(encoder.nextDeadline == 2 * second)
    #expect(encoder.due(at: 2 * second) == text("♥ 103 bpm"))
    #expect(encoder.nextDeadline == 12 * second)
    #expect(encoder.due(at: 12 * second) == text("♥ 103 bpm"))
    #expect(encoder.encode(TimedEvent(.values(.withdrawn), at: 0), at: 20 * second) == text(""))
    #expect(encoder.nextDeadline == nil)
  }

  @Test func addressesOfTheUser() throws {
    var content = OSCContent(names: [])
    content.addresses = try ["/a:hr", "/b:hr:float:0.01", "/c:stress:bool", "/d:category:string"].map {
      try #require(OSCAddress($0))
    }
    var encoder = OSCEncoder(content)
    #expect(
      encoder.encode(TimedEvent(.values(.example), at: 0), at: 0) == [
        OSCMessage("/a", .int(102)).bytes, OSCMessage("/b", .float(1.02)).bytes,
        OSCMessage("/c", .bool(true)).bytes, OSCMessage("/d", .string("mild")).bytes,
      ])
    #expect(
      encoder.encode(TimedEvent(.values(.withdrawn), at: 0), at: 0) == [
        OSCMessage("/a", .int(0)).bytes, OSCMessage("/b", .float(0)).bytes,
        OSCMessage("/c", .bool(false)).bytes, OSCMessage("/d", .string("")).bytes,
      ])
    for text in ["", "/a", "a:hr", "/a b:hr", "/a:x", "/a:hr:x", "/a:hr:int:x", "/a:hr:int:1:2", "/:hr"] {
      #expect(OSCAddress(text) == nil, "\(text)")
    }
  }

  @Test func withdrawnValuesAreZeroAndNotConnected() {
    var encoder = OSCEncoder(OSCContent(names: [.hr]))
    _ = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    let messages = encoder.encode(TimedEvent(.values(.withdrawn), at: 1), at: 1)
    #expect(messages.contains(parameter("isHRConnected", .bool(false))))
    #expect(messages.contains(parameter("HR", .int(0))))
    #expect(messages.contains(parameter("confidence", .float(0))))
    #expect(!messages.contains(parameter("HRBattery", .int(95))))
    #expect(encoder.connected(at: 2) == messages)
  }

  @Test func aBeatTogglesAndEndsItsPulseAfter100Milliseconds() {
    var encoder = OSCEncoder(OSCContent(names: [.hr]))
    let beat = TimedEvent(.beat(RRInterval(gattUnits: 1031)), at: 0)
    #expect(
      encoder.encode(beat, at: 5) == [
        parameter("isHRBeat", .bool(true)), parameter("HeartBeatToggle", .bool(true)),
        parameter("RRInterval", .int(1007)),
      ])
    #expect(encoder.nextDeadline == 100_000_005)
    #expect(encoder.due(at: 100_000_004) == [])
    #expect(encoder.due(at: 100_000_005) == [parameter("isHRBeat", .bool(false))])
    #expect(encoder.nextDeadline == nil)
    #expect(encoder.encode(beat, at: 0)[1] == parameter("HeartBeatToggle", .bool(false)))
    #expect(encoder.closing() == [parameter("isHRBeat", .bool(false))])
  }
}

extension LiveValues {
  /// All values, 102 bpm.
  static var example: LiveValues {
    var values = LiveValues()
    values.isLive = true
    (values.heartRate, values.battery) = (102, 95)
    (values.rmssd, values.sdnn, values.meanHeartRate) = (49.5, 40.25, 99.4)
    (values.stress, values.category, values.confidence) = (25, .mild, 0.5)
    return values
  }
}
