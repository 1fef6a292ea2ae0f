import HRV
import HeartRate
import History
import SessionData
import Stress
import TestSupport
import Testing

@testable import Fleet

/// A synthetic session with artefacts, a lost link and a mark, and what the engine computes from it.
struct CollectedSession {
  static let study = FleetCode("sleep")!
  static let receiver = FleetCode("R1")!
  static let secret = "0123456789abcdef"

  let participant: FleetCode
  let header: RecordingHeader
  let events: [SessionEvent]
  var id: SessionID { SessionID(header.session)! }
  var subject: FleetSubject {
    FleetSubject(
      study: Self.study, receiver: Self.receiver, participant: participant, strap: header.strap)
  }

  init(_ participant: String, beats: Int = 300, seed: UInt64 = 1, started: Int64 = 1_795_000_000_000_000) {
    var random = SeededGenerator(seed: seed)
    let start = WallTime(microseconds: started + Int64(seed))
    self.participant = FleetCode(participant)!
    header = RecordingHeader(
      session: SessionID(started: start, using: &random).text, profile: participant,
      strap: StrapIdentity(address: "C0:00:00:00:00:01"), started: start, zone: "UTC", program: "1.0",
      engine: StressEngine.version)
    var (time, events): (SessionTime, [SessionEvent]) = (.zero, [])
    func add(_ kind: SessionEvent.Kind) {
      events.append(SessionEvent(at: time, wall: start.advanced(ticks: time.ticks), kind))
    }
    add(.link(LinkChange(.connected, strap: header.strap)))
    for beat in 0..<beats {
      let units = UInt16.random(in: 800...900, using: &random) / (beat % 50 == 49 ? 2 : 1)
      time = time + RRInterval(gattUnits: units)
      add(.notification(payload: [0x10, 70, UInt8(units & 0xFF), UInt8(units >> 8)]))
      if beat == beats / 2 {
        add(.mark("coffee"))
        add(.link(LinkChange(.lost)))
        time = SessionTime(ticks: time.ticks + 10 * RRInterval.ticksPerSecond)
        add(.link(LinkChange(.connected)))
      }
    }
    add(.end)
    self.events = events
  }

  var begin: FleetMessage {
    FleetMessage(
      session: id, secret: Self.secret,
      .begin(header, SessionProvenance(source: "strap", utcOffset: 0, monotonicNanoseconds: 5)))
  }

  var end: FleetMessage {
    let provenance = SessionProvenance(source: "strap", isFinished: true, ended: header.started)
    return FleetMessage(
      session: id, secret: Self.secret, .end(header, provenance, events: Int64(events.count)))
  }

  func message(_ range: Range<Int>) -> FleetMessage {
    FleetMessage(
      session: id, secret: Self.secret, .events(Array(events[range]), first: Int64(range.lowerBound)))
  }

  /// All messages, with up to `size` events each.
  func messages(size: Int) -> [FleetMessage] {
    let parts = stride(from: 0, to: events.count, by: size).map { message($0..<min($0 + size, events.count)) }
    return [begin] + parts + [end]
  }

  /// The messages as the stream delivers them.
  func collected(
    _ messages: [FleetMessage], from first: Int64 = 1, receiver: String = Self.receiver.text
  ) -> [CollectedMessage] {
    messages.enumerated().map { index, message in
      CollectedMessage(
        subject: "lab.\(Self.study).\(receiver).\(participant).\(subject.strap).0",
        headers: Dictionary(uniqueKeysWithValues: message.headers.map { ($0.name, $0.value) }),
        body: message.body,
        streamSequence: first + Int64(index),
        published: header.started ?? WallTime(microseconds: 0))
    }
  }

  /// The bits of the stored columns of each measurement that the history would store, without the class of the sensor, which is text.
  var measurements: [[UInt64]] {
    var engine = StressEngine(settings: header.settings, baseline: header.baseline)
    var sampler = MeasurementSampler(.every(.seconds(10)))
    var rows: [[UInt64]] = []
    for event in events {
      sampler.update(event)
      engine.update(event) { measurement in
        guard let sample = sampler.sample(measurement) else { return }
        rows.append(
          MeasurementColumns.names.indices.filter { MeasurementColumns.names[$0] != "sensor_class" }.map {
            position in
            switch MeasurementColumns.value(position, of: sample) {
            case .integer(let value): value.map { UInt64(bitPattern: $0) } ?? 0xFFF
            case .real(let value): value?.bitPattern ?? 0xFFF
            case .text, .blob: preconditionFailure("not a number")
            }
          })
      }
    }
    return rows
  }

  var beats: Int {
    events.count { if case .notification = $0.kind { true } else { false } }
  }
}
