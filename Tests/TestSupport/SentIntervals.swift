package import HeartRate

/// RR intervals in one notification each, with simulated sensor and transmission faults.
package enum SentIntervals: String, CaseIterable, Sendable {
  case asTheyAre = "nothing wrong"
  /// One of four intervals is replaced by a random length from 0.3 to 2 s.
  case broken = "one RR in four broken"
  case halfLost = "half of the packets lost"
  case duplicated = "each packet twice"
  case contactLost = "contact lost"
  case constant = "RR of 500 ms all the time"
  case repeated = "each RR twice"
  case averaged = "moving average of 5 RR"
  /// The mean of eight beats, rounded to 1 bpm.
  case fromRate = "RR made from the heart rate"
  case withoutRR = "heart rate alone"

  /// Returns the session of a sensor with this fault that measures `rr`.
  package func events(of rr: [RRInterval]) -> [SessionEvent] {
    var random = SeededGenerator(seed: 5)
    let truth = rr.map(\.gattUnits)
    switch self {
    case .asTheyAre: return Self.notifications(truth)
    case .broken:
      return Self.notifications(
        truth.map {
          Int.random(in: 0..<4, using: &random) == 0 ? .random(in: 307...2048, using: &random) : $0
        })
    case .halfLost: return Self.notifications(truth).filter { _ in Bool.random(using: &random) }
    case .duplicated: return Self.notifications(truth).flatMap { [$0, $0] }
    case .contactLost: return Self.notifications(truth, contact: .notDetected)
    case .constant: return Self.notifications(truth.map { _ in 512 })
    case .repeated:
      return Self.notifications(truth.indices.map { truth[$0 / 2 * 2] })
    case .averaged: return Self.averaged(over: 5, rr)
    case .fromRate:
      return Self.notifications(Self.means(of: 8, truth).map { UInt16(61_440 / (61_440 / $0).rounded()) })
    case .withoutRR: return Self.notifications(truth, sendsRR: false)
    }
  }

  /// Returns the session of a sensor that sends a moving average of `count` intervals.
  package static func averaged(over count: Int, _ rr: [RRInterval]) -> [SessionEvent] {
    notifications(means(of: count, rr.map(\.gattUnits)).map { UInt16($0.rounded()) })
  }

  /// Returns the session of a sensor that computes intervals from the heart rate: the mean of eight, rounded to 1 bpm.
  package static func fromRate(_ rr: [RRInterval]) -> [SessionEvent] {
    notifications(
      means(of: 8, rr.map(\.gattUnits)).map { UInt16((61_440 / (61_440 / $0).rounded()).rounded()) })
  }

  /// Returns the session of a sensor that sends the newest interval each second.
  package static func resampled(_ rr: [RRInterval]) -> [SessionEvent] {
    var (events, newest): ([SessionEvent], Int) = ([], 0)
    var end = SessionTime.zero + (rr.first ?? RRInterval(gattUnits: 1))
    var now = SessionTime.zero
    while true {
      now = SessionTime(ticks: now.ticks + RRInterval.ticksPerSecond)
      while end.ticks <= now.ticks {
        newest += 1
        guard newest < rr.count else { return events }
        end = end + rr[newest]
      }
      guard newest > 0 else { continue }
      let value = HeartRateMeasurement(
        heartRate: 60, contact: .detected, rrIntervals: RRIntervals(gattUnits: [rr[newest - 1].gattUnits]))
      events.append(SessionEvent(at: now, .notification(payload: value.encoded())))
    }
    return events
  }

  /// Returns the session of a sensor that sends an exponential average with the factor `weight` of the newest interval.
  package static func exponential(_ weight: Double, _ rr: [RRInterval]) -> [SessionEvent] {
    var value = Double(rr.first?.gattUnits ?? 0)
    return notifications(
      rr.map {
        value += weight * (Double($0.gattUnits) - value)
        return UInt16(value.rounded())
      })
  }

  private static func means(of count: Int, _ values: [UInt16]) -> [Double] {
    values.indices.dropFirst(count - 1).map { end in
      values[(end - count + 1)...end].reduce(0) { $0 + Double($1) } / Double(count)
    }
  }

  /// Each notification arrives at the end of its interval.
  private static func notifications(
    _ gattUnits: [UInt16], contact: SensorContact = .detected, sendsRR: Bool = true
  ) -> [SessionEvent] {
    var time = SessionTime.zero
    return gattUnits.map { units in
      time = time + RRInterval(gattUnits: units)
      let value = HeartRateMeasurement(
        heartRate: UInt16((61_440 / Double(max(1, units))).rounded()), contact: contact,
        rrIntervals: RRIntervals(gattUnits: sendsRR ? [units] : []))
      return SessionEvent(at: time, .notification(payload: value.encoded()))
    }
  }
}
