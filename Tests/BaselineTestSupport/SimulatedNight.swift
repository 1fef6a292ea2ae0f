package import HeartRate
import RealModule
import TestSupport

/// A session of a simulated person who lies awake, sleeps and gets up, with notifications of one beat each.
///
/// The heart rate varies slowly during sleep and faster before and after it; respiration modulates each interval.
package struct SimulatedNight: Sendable {
  package var seed: UInt64 = 1
  /// Minutes awake before sleep.
  package var before = 40
  package var asleep = 420
  /// Minutes awake after sleep.
  package var after = 30
  /// Mean heart rate during sleep in bpm.
  package var sleepingRate = 54.0
  /// Increase of the heart rate in wakefulness as a fraction.
  package var wakefulness = 0.25
  /// Amplitude of the respiratory variation of an interval in ms.
  package var respiration = 40.0
  package var breathsPerMinute = 14.0
  /// Minutes of sleep in which the person wakes and moves.
  package var awakenings: [Range<Int>] = []
  /// Minutes without notifications.
  package var gaps: [Range<Int>] = []
  /// Fraction of the notifications that are lost.
  package var loss = 0.0

  package init(seed: UInt64 = 1) { self.seed = seed }

  package var minutes: Int { before + asleep + after }
  /// The minutes of sleep.
  package var sleep: Range<Int> { before..<before + asleep }

  /// The beats of the person: ends and intervals in seconds, without losses.
  private var beats: [(end: Double, interval: Double)] {
    var random = SeededGenerator(seed: seed)
    let rates = rates(&random)
    var (beats, time): ([(end: Double, interval: Double)], Double) = ([], 0)
    while time < Double(60 * minutes) {
      let rate = rates[min(Int(time / 60), rates.count - 1)]
      let wave = Double.sin(2 * .pi * breathsPerMinute * time / 60)
      let interval = 60 / rate + (respiration * wave + 0.3 * respiration * random.normal()) / 1000
      time += max(0.3, interval)
      beats.append((time, max(0.3, interval)))
    }
    return beats
  }

  private func rates(_ random: inout SeededGenerator) -> [Double] {
    var (slow, fast) = (0.0, 0.0)
    return (0..<minutes).map { minute in
      slow = 0.94 * slow + 0.5 * random.normal()
      fast = 0.7 * fast + 2.2 * random.normal()
      let progress = Double(minute - before) / Double(max(1, asleep))
      let isAwake = !sleep.contains(minute) || awakenings.contains { $0.contains(minute) }
      return isAwake
        ? sleepingRate * (1 + wakefulness) + slow + fast : sleepingRate + 1.5 - 3 * progress + slow
    }
  }

  /// The notifications, from `start` seconds on.
  package func events(from start: Double = 0) -> [SessionEvent] {
    var random = SeededGenerator(seed: seed &+ 99)
    return beats.compactMap { beat in
      let isLost = Double.random(in: 0..<1, using: &random) < loss
      let minute = Int(beat.end / 60)
      guard !isLost, !gaps.contains(where: { $0.contains(minute) }) else { return nil }
      return SimulatedNight.event(beat.interval, at: start + beat.end)
    }
  }

  /// A notification of one interval in seconds.
  package static func event(_ interval: Double, at time: Double) -> SessionEvent {
    let units = UInt16((interval * 1024).rounded())
    let value = HeartRateMeasurement(
      heartRate: UInt16((60 / interval).rounded()), contact: .detected,
      rrIntervals: RRIntervals(gattUnits: [units]))
    return SessionEvent(at: SessionTime(ticks: Int64(time * 8e7)), .notification(payload: value.encoded()))
  }

  /// RMSSD of the beats in `minutes` in ms, without losses.
  package func rmssd(_ minutes: Range<Int>) -> Double {
    let inside = beats.filter { minutes.contains(Int($0.end / 60)) }
    let squares = zip(inside, inside.dropFirst()).map { (($1.interval - $0.interval) * 1000) }.map { $0 * $0 }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }
}
