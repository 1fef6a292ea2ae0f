import Glibc
package import HeartRate
package import Stress

/// A stored night: the values of one window of sleep. Its session contains the beats.
package struct StoredNight: Equatable, Sendable {
  package var session: SessionID
  /// Name of the person.
  package var profile: String
  /// The place of the night among those of its session, from 0.
  package var part = 0
  /// Start of the window.
  package var time: WallTime
  /// Local day of the end of the window, in days since 1970-01-01.
  package var day: Int
  /// Length of the window in seconds.
  package var seconds: Double
  /// The times at which the window can begin and end.
  package var starts: ClosedRange<WallTime>
  package var ends: ClosedRange<WallTime>
  /// Whether the data begin and end with the window.
  package var beginsWithData = false
  package var endsWithData = false
  /// Beats in the window, normal or not.
  package var beats = 0
  package var normalBeats = 0
  /// In ms.
  package var rmssd: Double?
  /// Mean heart rate in bpm.
  package var heartRate: Double?
  /// Lowest mean heart rate of five minutes in bpm.
  package var lowestHeartRate: Double?
  /// The middle of these five minutes.
  package var lowestAt: WallTime?
  /// In breaths per minute.
  package var respirationRate: Double?
  /// Fraction of the window that normal beats cover, 0 to 1.
  package var coverage = 0.0
  /// Minutes with movement; known with acceleration only.
  package var wakeMinutes: Int?
  /// 0 to 1.
  package var confidence = 0.0
  /// Why the night has no value. A valid night has none.
  package var refusal: Night.Refusal?
  /// Whether it is the night of its day in the series: the longest valid one. Nights of the simulated strap count only for a
  /// profile without other sessions. Computed when the night is read.
  package var counts = false
  /// Whether its session is simulated. Computed when the night is read.
  package internal(set) var isSimulated = false

  package init(
    session: SessionID, profile: String, time: WallTime, day: Int, seconds: Double
  ) {
    (self.session, self.profile, self.time, self.day, self.seconds) = (session, profile, time, day, seconds)
    let end = Self.moved(time, by: seconds)
    (starts, ends) = (time...time, end...end)
  }

  /// A night of the session `info`.
  init(_ night: Night, part: Int, of info: SessionInfo) {
    let wall = { (minute: Int) in info.started.advanced(ticks: Night.time(minute).ticks) }
    let window = night.window
    let end = wall(window.minutes.upperBound)
    self.init(
      session: info.id, profile: info.profile, time: wall(window.minutes.lowerBound),
      day: Int(end.localDay(utcOffset: info.utcOffset)), seconds: night.seconds)
    self.part = part
    starts = wall(window.starts.lowerBound)...wall(window.starts.upperBound)
    ends = wall(window.ends.lowerBound)...wall(window.ends.upperBound)
    (beginsWithData, endsWithData) = (window.beginsWithData, window.endsWithData)
    (beats, normalBeats, rmssd) = (night.beats, night.normalBeats, night.rmssd)
    (heartRate, lowestHeartRate) = (night.heartRate, night.lowestHeartRate)
    lowestAt = night.lowestAt.map { info.started.advanced(ticks: $0.ticks) }
    (respirationRate, coverage, wakeMinutes) = (night.respirationRate, night.coverage, night.wakeMinutes)
    (confidence, refusal) = (night.confidence, night.refusal)
  }

  package var end: WallTime { Self.moved(time, by: seconds) }

  private static func moved(_ time: WallTime, by seconds: Double) -> WallTime {
    WallTime(microseconds: time.microseconds + Int64(seconds * 1_000_000))
  }

  /// Seconds from the start of the window to the lowest heart rate.
  package var secondsToLowest: Int64? { lowestAt.map { ($0.microseconds - time.microseconds) / 1_000_000 } }

  /// ln of RMSSD in ms, if RMSSD is positive.
  package var lnRMSSD: Double? { rmssd.flatMap { $0 > 0 ? log($0) : nil } }

  /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no beats.
  package var artefactFraction: Double? {
    beats > 0 ? Double(beats - normalBeats) / Double(beats) : nil
  }
}

/// The nights in the events of a session.
package struct SessionNights: Sendable {
  package let session: SessionID
  package let nights: [StoredNight]
  /// The reason for an empty list.
  package let absence: Night.Refusal?

  /// - Parameter isIntended: whether the session was recorded as a night. Otherwise only those windows are nights of which more than
  ///   half is between 21:00 and 09:00 local time, and whose heart rate is not that of wakefulness.
  package init(_ observer: NightObserver, of info: SessionInfo, isIntended: Bool) {
    session = info.id
    switch Night.all(in: observer) {
    case .failure(let reason): (nights, absence) = ([], reason)
    case .success(let found):
      let nights = found.filter { isIntended || Self.isAtNight($0, info) }
      self.nights = nights.enumerated().map { StoredNight($1, part: $0, of: info) }
      absence = nights.isEmpty ? .noWindow : nil
    }
  }

  private static let (evening, morning, day) = (21 * 3600, 9 * 3600, 86_400)
  /// Highest heart rate of a night relative to the resting heart rate of wakefulness.
  private static let highestRate = 1.15

  private static func isAtNight(_ night: Night, _ info: SessionInfo) -> Bool {
    if info.baseline.isPersonal, let rate = night.heartRate,
      rate > highestRate * info.baseline.restingHeartRate
    {
      return false
    }
    let start = Int(info.started.microseconds / 1_000_000) + info.utcOffset
    let minutes = night.window.minutes.count { minute in
      let time = ((start + 60 * minute) % day + day) % day
      return time >= evening || time < morning
    }
    return 2 * minutes > night.window.minutes.count
  }
}
