import HeartRate
import Motion
import Simulator
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct MotionStorageTests {
  private static func frames(_ script: String, count: Int) -> [SessionEvent] {
    var stream = SimulatedStream(seed: 1, script: MotionScript(script)!)
    let start = WallTime(microseconds: 1_795_000_000_000_000)
    return (0..<count).map { _ in
      let (end, payload) = stream.next()
      let at = SessionTime(nanoseconds: Int64((end + 0.0301234567) * 1e9))
      return SessionEvent(at: at, wall: start.advanced(ticks: at.ticks), .sensorFrame(payload: payload))
    }
  }

  /// Bytes per sample of the file, without the overhead of an empty history.
  private static func bytesPerSample(_ script: String) async throws -> Double {
    func size(_ count: Int) async throws -> Int {
      let history = try TemporaryHistory()
      let writer = SessionWriter(SessionInfo.sample(), at: history.location)
      for event in frames(script, count: count) { writer.append(event) }
      _ = await writer.finish(at: SessionTime(seconds: 1e5)!)
      return databaseBytes(of: history.path).count
    }
    return Double(try await size(4000) - size(1000)) / Double(3000 * 36)
  }

  @Test(arguments: [
    ("still", 3.2), ("breathing", 3.2), ("lying", 3.2), ("removed", 2.6), ("walking", 4), ("running", 4.5),
  ])
  func storedSampleIsSmall(_ script: String, _ limit: Double) async throws {
    let bytes = try await Self.bytesPerSample(script)
    print("bytes per sample, \(script): \(bytes)")
    #expect(bytes <= limit)
  }

  @Test func dayWithMovementTakesAtMostFourBytesPerSample() async throws {
    let bytes = try await Self.bytesPerSample("breathing:60,fidgeting:26,walking:3,running:1")
    print("bytes per sample, day: \(bytes)")
    #expect(bytes <= 4)
  }

  @Test(arguments: SimulatedActivity.allCases.map(\.rawValue))
  func framesAreRestoredBitForBit(_ script: String) {
    for event in Self.frames(script, count: 200) {
      guard case .sensorFrame(let payload) = event.kind else { continue }
      #expect(StoredSensorFrame.payload(StoredSensorFrame.stored(payload)) == payload)
    }
  }

  @Test(arguments: [0, 1, 599_616_000_000_000_000, 852_000_000_123_456_789, UInt64.max])
  func timesOfTheStrapAreRestored(_ time: UInt64) {
    let samples = (0..<3).map { Acceleration(x: Double($0), y: -32768, z: 32767) }
    let payload = SensorFrame.encoded(acceleration: samples, timestamp: time)
    #expect(StoredSensorFrame.payload(StoredSensorFrame.stored(payload)) == payload)
  }

  @Test func arbitraryFramesAreRestoredBitForBit() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let count = 6 * Int.random(in: 0...60, using: &random)
      let values = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let payload = [2, 1, 2, 3, 4, 5, 6, 7, 8, 1] + values
      #expect(StoredSensorFrame.payload(StoredSensorFrame.stored(payload)) == payload)
    }
  }

  /// Databases of earlier versions contain form 1.
  @Test func framesInTheFirstCompressedFormAreRestored() {
    for event in Self.frames("walking", count: 20) {
      guard case .sensorFrame(let payload) = event.kind else { continue }
      var bits = BitWriter(bytes: [1] + payload[1..<9] + [36])
      for axis in 0..<3 {
        let values = (0..<36).map { index in
          UInt16(payload[10 + 6 * index + 2 * axis]) | UInt16(payload[11 + 6 * index + 2 * axis]) << 8
        }
        ResidualCode.write(values, to: &bits)
      }
      #expect(StoredSensorFrame.payload(bits.bytes) == payload)
    }
  }

  @Test func malformedStoredFramesAreRejected() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...3, using: &random)
      }
      _ = StoredSensorFrame.payload(bytes)
    }
    #expect(StoredSensorFrame.payload([]) == nil)
    #expect(StoredSensorFrame.payload([3, 1]) == nil)
    #expect(StoredSensorFrame.payload([2, 1]) == nil)
    #expect(StoredSensorFrame.payload([2, 36, 0, 0]) == nil)
    #expect(StoredSensorFrame.payload([1, 0, 0, 0, 0, 0, 0, 0, 0, 36]) == nil)
  }

  @Test func secondsOfMotionAreSummedByMinute() async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample()
    let writer = SessionWriter(info, at: history.location)
    for second in 1...150 {
      writer.append(
        MotionSecond(
          time: SessionTime(seconds: Double(second))!, motion: second <= 90 ? .still : .walk, intensity: 1,
          enmo: 0,
          posture: .upright))
    }
    _ = await writer.finish(at: SessionTime(seconds: 150)!)
    let times = info.started..<info.started.advanced(ticks: 3600 * RRInterval.ticksPerSecond)
    let minutes = try reader(history).motion(of: info.profile, in: times, simulated: false)
    #expect(minutes.map(\.seconds.still) == [60, 30, 0])
    #expect(minutes.map(\.seconds.walk) == [0, 30, 30])
    #expect(try reader(history).integrityFaults() == [])
  }
}
