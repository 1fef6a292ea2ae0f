package import HeartRate
package import History
package import Localization
package import Stress

/// A stored reading of which at most one counts for each day: a morning reading or a night.
package protocol DailyReading: ListedRecord, Sendable {
  /// The kind of the readings.
  static var source: NormalRange.Source { get }
  /// The readings of `profile` that count, in `days`, by day.
  static func counted(_ reader: HistoryReader, of profile: String, in days: Range<Int>) throws(HistoryError)
    -> [Self]
  /// The series of the counted readings in a posture; nights have no posture.
  static func series(_ readings: [Self], _ posture: MorningPosture?) -> MorningSeries

  var time: WallTime { get }
  /// Local day, in days since 1970-01-01.
  var day: Int { get }
  /// The posture, which distinguishes the series of morning readings.
  var seriesPosture: MorningPosture? { get }
  /// In ms.
  var rmssd: Double? { get }
  var lnRMSSD: Double? { get }
  /// In bpm.
  var heartRate: Double? { get }
  var isSimulated: Bool { get }
}

extension StoredMorning: DailyReading {
  package static let source = NormalRange.Source.mornings

  package static func counted(
    _ reader: HistoryReader, of profile: String, in days: Range<Int>
  ) throws(HistoryError) -> [StoredMorning] { try reader.countedMornings(of: profile, in: days) }

  package static func series(_ readings: [StoredMorning], _ posture: MorningPosture?) -> MorningSeries {
    MorningSeries(readings, posture: posture ?? .lying)
  }

  package var seriesPosture: MorningPosture? { posture }
}

extension StoredNight: DailyReading {
  package static let source = NormalRange.Source.nights

  package static func counted(
    _ reader: HistoryReader, of profile: String, in days: Range<Int>
  ) throws(HistoryError) -> [StoredNight] { try reader.countedNights(of: profile, in: days) }

  package static func series(_ readings: [StoredNight], _: MorningPosture?) -> MorningSeries {
    MorningSeries(readings)
  }

  package var seriesPosture: MorningPosture? { nil }
}

/// The morning readings of a range of days.
package typealias MorningTrend = DailyTrend<StoredMorning>
/// The nights of a range of days.
package typealias NightTrend = DailyTrend<StoredNight>

extension NormalRange.Source {
  /// That a period contains no counted reading, and how to get one.
  package func absence(of profile: String) -> Phrase {
    self == .nights
      ? Phrase("No night of '\(profile)' counts in this period. Record one with: \("stressmon night")")
      : Phrase(
        "No morning reading of '\(profile)' counts in this period. Take one with: \("stressmon morning")")
  }

  /// How many readings are missing for the normal range: `3 more mornings until your normal range is known.`.
  package func missing(_ count: Int) -> Phrase {
    self == .nights
      ? Phrase(
        "\(count) more night until your normal range is known.",
        "\(count) more nights until your normal range is known.", count: count)
      : Phrase(
        "\(count) more morning until your normal range is known.",
        "\(count) more mornings until your normal range is known.", count: count)
  }
}
