import HRV
import HeartRate
import LiveSession
import Motion
import Simulator
import Stress
import Testing

/// What the encoder writes is what the decoder reads.
@Suite struct RoundTripTests {
  /// The lines of a simulated session with movement, a mark and a loss of the link, with the update of each line.
  private static func lines(seed: UInt64) -> [(update: SessionUpdate, line: SessionLine)] {
    let wall = WallTime(rfc3339: "2026-11-21T06:30:00.25Z")!
    var strap = SimulatedStrap(seed: seed, startWall: wall, duration: .seconds(180), faults: .none)
    strap.motion = MotionScript("breathing:60,walking:60")
    let all = Array(strap)
    let lost = SessionTime(seconds: 90)!
    let found = SessionTime(seconds: 100)!
    let events =
      all.filter { $0.at < lost } + [SessionEvent(at: lost, wall: wall, .mark("coffee \"☕\""))]
      + [SessionEvent(at: lost, wall: wall, .link(LinkChange(.lost)))]
      + [SessionEvent(at: found, wall: wall, .link(LinkChange(.connected)))] + all.filter { $0.at >= found }
    var encoder = SessionLineEncoder(session: "01K", profile: "me")
    var engine = StressEngine()
    var lines: [(SessionUpdate, SessionLine)] = []
    for event in events {
      engine.process(event) { update in
        encoder.put(update)
        var bytes: [UInt8] = []
        encoder.take { bytes += $0 }
        if let line = SessionLine(bytes.dropLast()) { lines.append((update, line)) }
      }
    }
    return lines
  }

  @Test(arguments: [1, 2] as [UInt64])
  func aMeasurementIsDecodedAsItWasComputed(seed: UInt64) throws {
    var (count, scored) = (0, 0)
    for (update, line) in Self.lines(seed: seed) {
      guard case .measurement(let measurement) = update else { continue }
      count += 1
      scored += measurement.score == nil ? 0 : 1
      guard case .measurement(let decoded) = line.content else {
        Issue.record("no measurement: \(line)")
        return
      }
      #expect(decoded == LiveMeasurement(measurement))
      #expect(decoded.suspension == measurement.suspension || measurement.score == nil)
      #expect(line.session == "01K" && line.profile == "me")
      #expect(line.seconds == measurement.time.seconds)
    }
    #expect(count > 100 && scored > 50)
  }

  @Test func everyOtherLineIsDecoded() throws {
    var found: Set<String> = []
    for (update, line) in Self.lines(seed: 1) {
      switch (update, line.content) {
      case (.part(.notification(let notification)), .notification(let decoded)):
        #expect(decoded.heartRate == notification.plausibleHeartRate.map(Double.init))
        #expect(decoded.intervals == Array(notification.rrIntervals))
        found.insert("notification")
      case (.part(.gap), .gap): found.insert("gap")
      case (.motion(let second), .motion(let respiration)):
        #expect(respiration == second.respirationRate)
        found.insert("motion")
      case (.event(let event), let content):
        switch (event.kind, content) {
        case (.link(let change), .link(let decoded)):
          #expect(decoded.state == change.state.rawValue && decoded.strap == change.strap?.address)
          found.insert("link")
        case (.battery(let level), .link(let decoded)): #expect(decoded.battery == Int(level.percent))
        case (.mark(let text), .mark(let decoded)):
          #expect(decoded == text)
          found.insert("mark")
        case (.end, .end): found.insert("end")
        case (.stream, .other): found.insert("stream")
        default: Issue.record("\(event.kind) is decoded as \(content)")
        }
      case (.measurement, .measurement): break
      default: Issue.record("\(update) is decoded as \(line.content)")
      }
    }
    #expect(found.isSuperset(of: ["notification", "gap", "motion", "link", "mark", "end"]), "\(found)")
  }
}
