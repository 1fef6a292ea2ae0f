import HeartRate
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
    var encoder = OSCEncoder(names: .hr)
    let messages = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    #expect(
      messages == [
        parameter("isHRConnected", .bool(true)), parameter("isHRActive", .bool(true)),
        parameter("HR", .int(102)), parameter("onesHR", .int(2)), parameter("tensHR", .int(0)),
        parameter("hundredsHR", .int(1)), parameter("floatHR", .float(102 / 127.5 - 1)),
        parameter("HRPercent", .float(0.68)), parameter("stress", .float(0.25)),
        parameter("confidence", .float(0.5)), parameter("rmssd", .int(50)), parameter("HRBattery", .int(95)),
      ])
  }

  @Test func valuesOfTheSecondFamily() {
    var encoder = OSCEncoder(names: .heartrate)
    let messages = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    #expect(
      messages == [
        parameter("HeartRateInt", .int(102)), parameter("HeartRate3", .int(102)),
        parameter("HeartRateFloat", .float(102 / 127.5 - 1)), parameter("HeartRate", .float(102 / 127.5 - 1)),
        parameter("HeartRateFloat01", .float(0.4)), parameter("HeartRate2", .float(0.4)),
        parameter("stress", .float(0.25)), parameter("confidence", .float(0.5)),
        parameter("rmssd", .int(50)),
      ])
  }

  @Test func withdrawnValuesAreZeroAndNotConnected() {
    var encoder = OSCEncoder(names: .hr)
    _ = encoder.encode(TimedEvent(.values(.example), at: 0), at: 0)
    let messages = encoder.encode(TimedEvent(.values(.withdrawn), at: 1), at: 1)
    #expect(messages.contains(parameter("isHRConnected", .bool(false))))
    #expect(messages.contains(parameter("HR", .int(0))))
    #expect(messages.contains(parameter("confidence", .float(0))))
    #expect(!messages.contains(parameter("HRBattery", .int(95))))
    #expect(encoder.connected(at: 2) == messages)
  }

  @Test func aBeatTogglesAndEndsItsPulseAfter100Milliseconds() {
    var encoder = OSCEncoder(names: .hr)
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
    (values.rmssd, values.sdnn) = (49.5, 40.25)
    (values.stress, values.category, values.confidence) = (25, .mild, 0.5)
    return values
  }
}
