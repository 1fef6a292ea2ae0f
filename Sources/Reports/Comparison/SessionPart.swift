package import HeartRate
package import Stress

/// The part of one session that is compared.
package struct SessionPart {
  package var events: [SessionEvent]
  package var settings: StressEngine.Settings
  /// The baseline of the session.
  package var baseline: Baseline
  /// The part contains the beats that end after `start` and up to `end`.
  package var start: SessionTime
  package var end: SessionTime
  /// Wall-clock time of the session's time 0, in ticks since that of the first part.
  package var offset: Int64 = 0

  package init(
    events: [SessionEvent], settings: StressEngine.Settings = StressEngine.Settings(),
    baseline: Baseline = .populationDefault, start: SessionTime = SessionTime(ticks: .min),
    end: SessionTime = SessionTime(ticks: .max)
  ) {
    (self.events, self.settings, self.baseline) = (events, settings, baseline)
    (self.start, self.end) = (start, end)
  }

  /// The part that `span` selects. Without a span, the whole.
  func narrowed(to span: SessionSpan?, named name: String) throws(ReportError) -> SessionPart {
    guard let span else { return self }
    var part = self
    let range = try SessionMarks(events).range(of: span, named: name)
    (part.start, part.end) = (range.from ?? start, range.to ?? end)
    return part
  }
}
