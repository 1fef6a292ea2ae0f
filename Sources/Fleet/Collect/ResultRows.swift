internal import HRV
internal import HeartRate
internal import History
internal import Stress

/// The rows that a batch adds to the tables of results, by columns.
final class ResultRows {
  private(set) var beats = ColumnSet([
    .integer, .integer, .integer, .time, .integer, .integer, .boolean, .text,
  ])
  private(set) var measurements: ColumnSet
  private(set) var gaps = ColumnSet([.integer, .integer, .time, .integer, .integer, .text])
  private(set) var marks = ColumnSet([.integer, .integer, .time, .integer, .text])
  private(set) var links = ColumnSet([.integer, .integer, .time, .integer, .text, .text])
  private(set) var minutes: [MinuteKey: MinuteSums] = [:]

  struct MinuteKey: Hashable {
    var session: Int64
    /// Microseconds since 1970, a multiple of a minute.
    var minute: Int64
  }

  /// Sums of integers, which do not depend on the order of the batches.
  struct MinuteSums: Equatable {
    var beats: Int64 = 0
    var normalBeats: Int64 = 0
    var normalTicks: Int64 = 0
    var differences: Int64 = 0
    /// In (1/640 ms)². 1/640 ms is the greatest common divisor of 1/1024 s (straps) and 1 ms (text files).
    var squaredDifferences: Int64 = 0
  }

  init() {
    measurements = ColumnSet([.integer, .integer, .time] + MeasurementRow.types)
  }

  func append(_ beat: Beat, number: Int64, day: Int64, ordinal: Int64, _ time: WallTime) {
    beats.append([
      .integer(day), .integer(number), .integer(ordinal), .time(time), .integer(beat.end.ticks),
      .integer(beat.rr.ticks),
      .boolean(beat.followsBreak), .text(beat.verdict.rawValue),
    ])
  }

  func append(_ sample: MeasurementSample, number: Int64, day: Int64, _ time: WallTime) {
    measurements.append([.integer(day), .integer(number), .time(time)] + MeasurementRow.values(sample))
  }

  func append(_ gap: Gap, number: Int64, ordinal: Int64, _ time: WallTime) {
    gaps.append([
      .integer(number), .integer(ordinal), .time(time), .integer(gap.start.ticks), .integer(gap.end.ticks),
      .text(gap.cause.rawValue),
    ])
  }

  /// Appends a mark or a change of the link; nothing for other events.
  func append(_ event: SessionEvent, number: Int64, sequence: Int64, _ time: WallTime) {
    let key: [PostgreSQLValue] = [
      .integer(number), .integer(sequence), .time(time), .integer(event.at.ticks),
    ]
    switch event.kind {
    case .mark(let text): marks.append(key + [.text(text)])
    case .link(let change): links.append(key + [.text(change.state.rawValue), .text(change.strap?.address)])
    case .notification, .interval, .battery, .sensorFrame, .stream, .end: break
    }
  }

  /// Adds a beat to the minute in which it ends. As in ``NNSums``, a difference counts only if both intervals are normal.
  func addToMinute(_ beat: Beat, after previous: Beat?, number: Int64, _ time: WallTime) {
    let minute = time.microseconds - Self.remainder(time.microseconds, 60_000_000)
    var sums = MinuteSums(beats: 1)
    if beat.verdict.isNormal {
      (sums.normalBeats, sums.normalTicks) = (1, beat.rr.ticks)
      if let previous, previous.verdict.isNormal, !beat.followsBreak {
        let difference = (beat.rr.ticks - previous.rr.ticks) / 125
        if abs(difference) <= Self.longestDifference {
          (sums.differences, sums.squaredDifferences) = (1, difference * difference)
        }
      }
    }
    minutes[MinuteKey(session: number, minute: minute), default: MinuteSums()] += sums
  }

  /// 3 s. Without classification, every interval counts as normal, even one of 24 h, whose square would overflow the sums.
  private static let longestDifference: Int64 = 3 * RRInterval.ticksPerSecond / 125

  private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
    let remainder = value % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

extension ResultRows.MinuteSums {
  static func += (a: inout Self, b: Self) {
    a.beats += b.beats
    a.normalBeats += b.normalBeats
    a.normalTicks += b.normalTicks
    a.differences += b.differences
    a.squaredDifferences = a.squaredDifferences.addingReportingOverflow(b.squaredDifferences).partialValue
  }
}

/// The columns of `measurement` that a measurement determines, as ``MeasurementColumns`` defines them.
enum MeasurementRow {
  static let names = MeasurementColumns.names

  /// The types in PostgreSQL: text for the class of the sensor, integers for counts, else double precision.
  static let types: [PostgreSQLType] = names.map { name in
    switch name {
    case "sensor_class": .text
    case "ticks", "beats", "normal_beats", "engine", "is_reading", "is_paced": .integer
    default: .real
    }
  }

  static func values(_ sample: MeasurementSample) -> [PostgreSQLValue] {
    names.indices.map { position in
      switch (MeasurementColumns.value(position, of: sample), types[position]) {
      case (.integer(let value?), _): .integer(value)
      case (.real(let value), _): .real(value)
      case (.text(let value), _): .text(value)
      case (.blob(let value), _): .bytes(value)
      case (.integer(nil), .text): .text(nil)
      case (.integer(nil), .real): .real(nil)
      case (.integer(nil), _): .integer(nil)
      }
    }
  }
}
