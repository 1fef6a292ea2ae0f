import HeartRate
import Stress

/// The part of one session that is compared.
struct SessionPart {
  var events: [SessionEvent]
  var settings: StressEngine.Settings
  /// The baseline that was in force.
  var baseline: Baseline
  /// Which part of it: beats that ended after the first and up to the second of these.
  var start: SessionTime
  var end: SessionTime
  /// Its time 0 by the wall clock, in ticks since that of the first part.
  var offset: Int64 = 0

  /// The whole of a session, or `span` of it.
  init(
    events: [SessionEvent], settings: StressEngine.Settings = .init(), baseline: Baseline = .prior,
    span: TimeSpan?
  ) {
    (self.events, self.settings, self.baseline) = (events, settings, baseline)
    start = span?.from.map { SessionTime(ticks: $0.ticks) } ?? SessionTime(ticks: .min)
    end = span?.to.map { SessionTime(ticks: $0.ticks) } ?? SessionTime(ticks: .max)
  }
}
