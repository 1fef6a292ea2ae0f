import HeartRate
package import History
import JSONLines
import Platform
package import Stress

/// The associations of the triggers of a journal with RMSSD of the following morning or night. One reading a day suffices.
///
/// A trigger belongs to the first counted reading that follows its entry within ``reach``. All readings are compared within
/// the posture of the latest one.
package struct MorningTriggers {
  package let effects: TriggerEffects
  package let profile: String
  /// The kind of the readings.
  package let source: NormalRange.Source

  /// Longest time from an entry to the reading, in s: 24 h.
  static let reach: Int64 = 86_400

  package init<Reading: DailyReading>(_ trend: DailyTrend<Reading>, journal: [JournalEntry]) {
    (profile, source) = (trend.profile, Reading.source)
    var generator = SplitMix64(seed: 1, stream: 0)
    effects = TriggerEffects(Self.episodes(trend, journal), using: &generator)
  }

  /// The readings in the posture of the latest one: ln RMSSD times 100, about the percentage of RMSSD, and the triggers before.
  package static func episodes<Reading: DailyReading>(
    _ trend: DailyTrend<Reading>, _ journal: [JournalEntry]
  ) -> [StressEpisode] {
    let readings = trend.shown(in: trend.days).map(\.reading)
    return readings.enumerated().compactMap { place, reading in
      let before = place > 0 ? readings[place - 1].time : nil
      return reading.lnRMSSD.map {
        StressEpisode(stress: 100 * $0, triggers: triggers(journal, after: before, before: reading.time))
      }
    }
  }

  private static func triggers(
    _ journal: [JournalEntry], after earlier: WallTime?, before time: WallTime
  ) -> Set<String> {
    let start = max(time.moved(seconds: -reach), earlier ?? time.moved(seconds: -reach))
    let entries = journal.filter { $0.time >= start && $0.time < time }
    return Set(entries.flatMap(\.triggers))
  }

  /// One object per tested trigger.
  package var json: [UInt8] {
    var line = JSONLine()
    for effect in effects.effects {
      line.line { line in
        line.put("profile", profile)
        line.put("trigger", effect.trigger)
        line.put("\(source.rawValue)_with", effect.with)
        line.put("\(source.rawValue)_without", effect.without)
        line.put("ln_rmssd_difference", effect.difference / 100)
        line.put("low", effect.low / 100)
        line.put("high", effect.high / 100)
        line.put("chance", effect.chance)
        line.put("beyond_chance", effect.isBeyondChance)
      }
    }
    return line.bytes
  }
}
