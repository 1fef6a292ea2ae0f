import Glibc
package import HeartRate
package import Stress

/// A stored morning reading, or the standing part of an orthostatic one. Its session contains the beats.
package struct StoredMorning: Equatable, Sendable {
  /// Why a reading does not belong to the series.
  package enum Refusal: String, Sendable, CaseIterable {
    /// Ended before its planned length.
    case interrupted
    /// Normal beats cover less than half of the reading, or are fewer than 30.
    case fewBeats = "few_beats"
    /// More than a tenth of the beats are not normal.
    case artefacts
    /// The person moved in more than a fifth of the seconds.
    case motion
    /// The heart rate is that of exertion.
    case exertion
    /// The sensor sends averaged RR intervals.
    case sensor
    /// The confidence in the data is below 0.5.
    case lowConfidence = "low_confidence"
  }

  package var session: SessionID
  /// Name of the person.
  package var profile: String
  /// Whether this is the standing part of an orthostatic reading, which never counts in the series.
  package var isStandingPart = false
  /// Start of the reading.
  package var time: WallTime
  /// Local day of the start, in days since 1970-01-01.
  package var day: Int
  package var posture: MorningPosture
  /// Planned length in seconds.
  package var seconds: Double
  /// Beats in the reading, normal or not.
  package var beats = 0
  package var normalBeats = 0
  /// In ms.
  package var rmssd: Double?
  /// In ms.
  package var sdnn: Double?
  /// In bpm.
  package var heartRate: Double?
  /// 0 to 1.
  package var confidence: Double?
  /// Why the reading is not valid. A valid reading has none.
  package var refusal: Refusal?
  /// Whether it is the reading of its day in the series: the first valid one. Readings of the simulated strap count only for
  /// a profile without other sessions. Computed when the reading is read.
  package var counts = false
  /// Whether its session is simulated. Computed when the reading is read.
  package internal(set) var isSimulated = false

  package init(
    session: SessionID, profile: String, time: WallTime, day: Int, posture: MorningPosture, seconds: Double
  ) {
    (self.session, self.profile, self.time) = (session, profile, time)
    (self.day, self.posture, self.seconds) = (day, posture, seconds)
  }

  /// ln of RMSSD in ms, if RMSSD is positive.
  package var lnRMSSD: Double? { rmssd.flatMap { $0 > 0 ? log($0) : nil } }

  /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no beats.
  package var artefactFraction: Double? {
    beats > 0 ? Double(beats - normalBeats) / Double(beats) : nil
  }
}
