import HRV
package import HeartRate
package import History
package import Platform
package import Stress

/// The outcome of a morning reading, measured from the events of its session.
package struct MorningResult {
  package let session: BreathingResult.Session
  /// One part; two of an orthostatic reading.
  package let parts: [MorningPart]
  package let course: MorningCourse
  /// Start of the reading.
  package let time: WallTime
  /// Local day of the start, in days since 1970-01-01.
  package let day: Int

  /// - Parameter first: end of the first beat.
  package init(
    _ events: [SessionEvent], from first: SessionTime, _ course: MorningCourse,
    of session: BreathingResult.Session, _ calendar: LocalCalendar = .system
  ) {
    (self.session, self.course) = (session, course)
    parts = course.postures.enumerated().map { place, posture in
      MorningPart(posture, course.times(of: place, from: first), events, of: session)
    }
    let start = session.started ?? WallTime(microseconds: 0)
    time = start.advanced(ticks: first.ticks)
    day = Int(calendar.day(of: time))
  }

  /// The part that counts in the series.
  package var reading: MorningPart { parts[0] }

  /// The records for the history; empty if the session is not stored.
  package var stored: [StoredMorning] {
    guard let id = session.id, let profile = session.profile else { return [] }
    return parts.enumerated().map { place, part in
      var stored = StoredMorning(
        session: id, profile: profile, time: time.advanced(ticks: offset(of: part)), day: day,
        posture: part.posture, seconds: part.seconds)
      stored.isStandingPart = place > 0
      (stored.beats, stored.normalBeats) = (part.beats, part.sums.count)
      (stored.rmssd, stored.sdnn) = (part.sums.rmssd, part.sums.sdnn)
      (stored.heartRate, stored.confidence) = (part.sums.meanHeartRate, part.confidence)
      stored.refusal = part.refusal
      return stored
    }
  }

  private func offset(of part: MorningPart) -> Int64 {
    part.times.lowerBound.ticks - reading.times.lowerBound.ticks
  }

  /// Rise of the heart rate after standing up in bpm. Requires two valid parts.
  package var heartRateRise: Double? {
    guard parts.count > 1, parts.allSatisfy({ $0.refusal == nil }), let lying = reading.sums.meanHeartRate,
      let standing = parts[1].sums.meanHeartRate
    else { return nil }
    return standing - lying
  }
}
