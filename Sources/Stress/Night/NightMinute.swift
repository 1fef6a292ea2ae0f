import HRV
import HeartRate

/// The sums over the beats that end in one minute of a session, with their final verdicts. A night has about 500 of them.
package struct NightMinute: Equatable, Sendable {
  /// Number of successive differences between normal beats, and the sum of their squares in square ticks.
  struct Differences: Equatable, Sendable {
    private(set) var count: Int32 = 0
    private(set) var squares = 0.0

    mutating func add(_ difference: Int64) {
      count += 1
      squares += Double(difference) * Double(difference)
    }

    static func += (sum: inout Differences, other: Differences) {
      sum.count += other.count
      sum.squares += other.squares
    }

    /// Root mean square in ms.
    var rmssd: Double? {
      count > 0 ? (squares / Double(count)).squareRoot() * 1000 / Double(RRInterval.ticksPerSecond) : nil
    }
  }

  private(set) var beats: Int32 = 0
  private(set) var normalBeats: Int32 = 0
  /// Sum of the normal intervals in ticks.
  private(set) var normalTicks: Int64 = 0
  /// Sum of all intervals in ticks.
  private(set) var receivedTicks: Int64 = 0
  private var all = Differences()
  /// Without those before which the arrival of the beat indicates a lost beat.
  private var certain = Differences()
  /// Seconds with acceleration, and those of them that are still.
  private(set) var knownSeconds: UInt8 = 0
  private(set) var stillSeconds: UInt8 = 0
  /// Breaths per minute; known in the last minute of five, if at all.
  var respiration: Float?

  /// Number of normal beats without which the heart rate of a minute is unknown.
  private static let leastBeats = 15
  /// Fraction of the minute below which the received intervals show that beats are missing.
  private static let leastReceived = 0.95

  mutating func add(_ beat: Beat, difference: Int64?, isCertain: Bool) {
    beats += 1
    receivedTicks += beat.rr.ticks
    guard beat.verdict.isNormal else { return }
    normalBeats += 1
    normalTicks += beat.rr.ticks
    guard let difference else { return }
    all.add(difference)
    if isCertain { certain.add(difference) }
  }

  mutating func add(isStill: Bool) {
    guard knownSeconds < 60 else { return }
    knownSeconds += 1
    if isStill { stillSeconds += 1 }
  }

  /// The successive differences that count. A single lost beat is not a gap, so the difference across it compares beats that are not
  /// neighbours. In a minute in which beats are missing, only those differences count whose beats arrived in succession.
  var differences: Differences {
    Double(receivedTicks) < Self.leastReceived * Double(60 * RRInterval.ticksPerSecond) ? certain : all
  }

  /// Mean heart rate of the normal beats in bpm, if there are enough.
  package var heartRate: Double? {
    normalBeats >= Self.leastBeats && normalTicks > 0
      ? 60 * Double(normalBeats) * Double(RRInterval.ticksPerSecond) / Double(normalTicks) : nil
  }

  /// Fraction of still seconds, if acceleration covers half of the minute.
  package var still: Double? {
    knownSeconds >= 30 ? Double(stillSeconds) / Double(knownSeconds) : nil
  }
}
