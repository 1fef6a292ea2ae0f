import HRV
import HeartRate

extension LiveState {
  /// Finds ``respiration`` in the beats of the last two minutes, by the verdicts they have by now, where that was not done
  /// within the last five seconds.
  ///
  /// A spectrum takes as long as hundreds of beats: it is for what is drawn, not for each beat. Two minutes tell breaths apart
  /// that differ by half a breath a minute, and a peak that stands out of noise needs no more than 0.66 of the power there
  /// (``RespirationRate``); a minute is the least, and needs 0.83.
  package mutating func lookForBreath() {
    guard now >= nextLookForBreath else { return }
    nextLookForBreath = SessionTime(ticks: now.ticks + 5 * RRInterval.ticksPerSecond)
    let start = now.ticks - 120 * RRInterval.ticksPerSecond
    let recent = recentBeats.reversed().prefix { $0.end.ticks > start }.count
    respiration = RespirationRate(NNSegments(recentBeats.suffix(recent)))
  }
}
