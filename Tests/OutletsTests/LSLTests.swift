import HeartRate
import LiveSession
import Testing

@testable import Outlets

@Suite struct LSLTests {
  @Test func theLastSampleOfAnElectrocardiogramHasTheTimeOfTheEvent() {
    var encoder = LSLEncoder()
    let samples = encoder.encode(
      TimedEvent(.ecg([1, 2, 3], rate: 100), at: 5_000_000_000), at: 5_000_000_000)
    #expect(samples.map(\.time) == [4_980_000_000, 4_990_000_000, 5_000_000_000])
    #expect(samples.map(\.content) == [.numbers([1]), .numbers([2]), .numbers([3])])
    #expect(samples.allSatisfy { $0.stream == .ecg })
  }

  @Test func aBeatIsOneSampleAtTheEndOfItsInterval() {
    var encoder = LSLEncoder()
    let beat = TimedEvent(.beat(RRInterval(gattUnits: 1031)), at: 7)
    #expect(
      encoder.encode(beat, at: 100) == [LSLSample(stream: .rr, content: .numbers([1006.8359375]), time: 7)])
  }

  @Test func valuesAreSamplesAndTheirChangeOfStateIsAMarker() {
    var encoder = LSLEncoder()
    let live = TimedEvent(.values(.example), at: 5)
    let hr = LSLSample(stream: .hr, content: .numbers([102]), time: 5)
    let hrv = LSLSample(stream: .hrv, content: .numbers([49.5, 40.25, 25, 0.5]), time: 5)
    #expect(
      encoder.encode(live, at: 5) == [LSLSample(stream: .markers, content: .text("live"), time: 5), hr, hrv])
    #expect(encoder.encode(live, at: 5) == [hr, hrv])
    let withdrawn = TimedEvent(.values(.withdrawn), at: 9)
    #expect(
      encoder.encode(withdrawn, at: 9) == [LSLSample(stream: .markers, content: .text("not live"), time: 9)])
    #expect(encoder.encode(withdrawn, at: 10) == [])
    #expect(encoder.connected(at: 11) == [])
  }

  @Test func aMissingValueIsNotANumberAndWithoutRMSSDThereIsNoSample() throws {
    var encoder = LSLEncoder()
    var values = LiveValues.example
    values.stress = nil
    let samples = encoder.encode(TimedEvent(.values(values), at: 0), at: 0)
    guard case .numbers(let numbers) = try #require(samples.last).content else { return #expect(Bool(false)) }
    #expect(numbers.map(\.isNaN) == [false, false, true, false])
    values.rmssd = nil
    #expect(encoder.encode(TimedEvent(.values(values), at: 0), at: 0).map(\.stream) == [.hr])
  }

  @Test func aMarkIsText() {
    var encoder = LSLEncoder()
    #expect(
      encoder.encode(TimedEvent(.marker("stand up"), at: 3), at: 9)
        == [LSLSample(stream: .markers, content: .text("stand up"), time: 3)])
  }
}
