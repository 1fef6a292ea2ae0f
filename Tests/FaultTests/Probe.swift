import HRV
import HeartRate
import LiveSession
import Stress
import Synchronization

@testable import Session

/// Checks the invariants of all updates of a session, and collects violations.
final class Probe: Sendable {
  struct Seen {
    var events: [SessionEvent] = []
    var state: LinkChange.State?
    var losses = 0
    var notifications = 0
    var lastPayload: [UInt8] = []
    var beats: [Beat] = []
    var measurements = 0
    var gaps = 0
    var complaints: [String] = []
    /// The time of the loss of the link; nil after the next beat.
    fileprivate var lostAt: SessionTime?
    fileprivate var markedFrom: SessionTime?
  }

  private let seen = Mutex(Seen())

  var now: Seen { seen.withLock { $0 } }
  func read<Value: Sendable>(_ value: (Seen) -> Value) -> Value { seen.withLock { value($0) } }

  struct Sink: SessionSink {
    let probe: Probe

    mutating func receive(_ update: SessionUpdate) -> SinkDecision {
      probe.seen.withLock { seen in
        switch update {
        case .event(let event): seen.update(event)
        case .part(let part): seen.update(part)
        case .measurement(let measurement): seen.update(measurement)
        case .upcoming, .sensorClass, .motion, .ecg, .notice, .processed: break
        }
      }
      return .proceed
    }
  }

  var sink: Sink { Sink(probe: self) }
}

extension Probe.Seen {
  fileprivate mutating func update(_ event: SessionEvent) {
    if let last = events.last, event.at < last.at { complaints.append("time went back at \(event.at)") }
    events.append(event)
    switch event.kind {
    case .notification(let payload):
      notifications += 1
      lastPayload = payload
    case .link(let change):
      state = change.state
      guard change.state == .lost else { return }
      losses += 1
      lostAt = lostAt ?? event.at
    default: break
    }
  }

  fileprivate mutating func update(_ part: BeatStream.Event) {
    switch part {
    case .gap(let gap):
      gaps += 1
      if gap.cause == .linkLost { markedFrom = gap.start }
    case .beat(let beat):
      if let last = beats.last, beat.end < last.end { complaints.append("beat before its time: \(beat)") }
      if let lostAt, markedFrom != lostAt || !beat.followsBreak {
        complaints.append("no gap where the link was lost at \(lostAt)")
      }
      lostAt = nil
      markedFrom = nil
      beats.append(beat)
    default: break
    }
  }

  /// Recomputes the differences of the window from the beats, and checks that none crosses a gap.
  fileprivate mutating func update(_ measurement: StressMeasurement) {
    measurements += 1
    let length = Int64((measurement.window * Double(RRInterval.ticksPerSecond)).rounded())
    let start = SessionTime(ticks: measurement.time.ticks - length)
    let window = beats.reversed().prefix { $0.end >= start }
    var allowed = 0
    for (later, earlier) in zip(window, window.dropFirst())
    where later.verdict == .normal && earlier.verdict == .normal && !later.followsBreak {
      allowed += 1
    }
    if measurement.nn.differences > allowed {
      complaints.append(
        "\(measurement.nn.differences) differences where \(allowed) are, at \(measurement.time)")
    }
    if let last = beats.last, measurement.time != last.end {
      complaints.append("a measurement at \(measurement.time) without a beat")
    }
  }
}
