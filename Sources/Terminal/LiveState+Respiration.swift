import HRV
import HeartRate

extension LiveState {
  /// Estimates ``respiration`` from the beats of the last two minutes, at most every five seconds.
  ///
  /// A spectrum costs as much as hundreds of beats, so it is computed for a drawn frame, not for each beat. Two minutes resolve
  /// rates that differ by 0.5 breaths per minute, and a peak needs 0.66 of the power to be distinguished from noise
  /// (``RespirationRate``); the minimum is one minute, which needs 0.83.
  package mutating func lookForBreath() {
    guard now >= nextRespirationUpdate else { return }
    nextRespirationUpdate = SessionTime(ticks: now.ticks + 5 * RRInterval.ticksPerSecond)
    let start = now.ticks - 120 * RRInterval.ticksPerSecond
    let recent = recentBeats.reversed().prefix { $0.end.ticks > start }.count
    respiration = RespirationRate(NNSegments(recentBeats.suffix(recent)))
  }
}
