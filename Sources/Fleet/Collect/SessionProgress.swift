internal import HRV
internal import HeartRate
internal import History
internal import Stress

/// A session whose events are being processed: the engine and what its next results depend on.
///
/// Equal events give equal rows, whatever the boundaries of the batches are.
struct SessionProgress {
  /// The number of the session in the database, and its day.
  let number: Int64
  let day: Int64
  private let started: WallTime
  private var engine: StressEngine
  private var sampler = MeasurementSampler(.every(.seconds(10)))
  private var previous: Beat?
  /// The number of events processed.
  private(set) var next: Int64 = 0
  var totals = SessionTotals()

  init(number: Int64, day: Int64, started: WallTime, settings: StressEngine.Settings, baseline: Baseline) {
    (self.number, self.day, self.started) = (number, day, started)
    engine = StressEngine(settings: settings, baseline: baseline)
  }

  /// Processes the next event.
  /// - Parameter rows: Receives the results. Omitted to restore the state from events that were processed before.
  mutating func update(_ event: SessionEvent, _ rows: ResultRows?) {
    let sequence = next
    next += 1
    let (beats, gaps, samples) = analyze(event)
    for beat in beats { add(beat, of: event, rows) }
    guard let rows else { return }
    totals.lastTicks = max(totals.lastTicks, event.at.ticks)
    for gap in gaps {
      rows.append(gap, number: number, ordinal: totals.gaps, time(gap.start, event))
      totals.gaps += 1
    }
    for sample in samples {
      rows.append(
        sample, number: number, day: day,
        sample.measurement.wall ?? started.advanced(ticks: sample.measurement.time.ticks))
    }
    rows.append(event, number: number, sequence: sequence, time(event.at, event))
  }

  /// Continues with the event `sequence`, because those before it were deleted.
  mutating func skip(to sequence: Int64) { next = sequence }

  private mutating func analyze(_ event: SessionEvent) -> ([Beat], [Gap], [MeasurementSample]) {
    var (beats, gaps, samples): ([Beat], [Gap], [MeasurementSample]) = ([], [], [])
    sampler.update(event)
    engine.update(event) { part in
      switch part {
      case .beat(let beat): beats.append(beat)
      case .gap(let gap): gaps.append(gap)
      case .notification, .undecodable: break
      }
    } measured: { measurement in
      if let sample = sampler.sample(measurement) { samples.append(sample) }
    }
    return (beats, gaps, samples)
  }

  private mutating func add(_ beat: Beat, of event: SessionEvent, _ rows: ResultRows?) {
    let before = previous
    previous = beat
    guard let rows else { return }
    let time = time(beat.end, event)
    rows.append(beat, number: number, day: day, ordinal: totals.beats, time)
    rows.addToMinute(beat, after: before, number: number, time)
    totals.beats += 1
    // Intervals of a recording can have 24 h.
    let sum = totals.rrTicks.addingReportingOverflow(beat.rr.ticks)
    totals.rrTicks = sum.overflow ? .max : sum.partialValue
    if beat.verdict.isNormal { totals.normalBeats += 1 }
  }

  /// The wall time of a session time, from the arrival of `event`; from the start of the session for sources without wall time.
  private func time(_ time: SessionTime, _ event: SessionEvent) -> WallTime {
    event.wall?.advanced(ticks: time.ticks - event.at.ticks) ?? started.advanced(ticks: time.ticks)
  }
}

/// Sums over the processed events of a session, which its row contains.
struct SessionTotals: Equatable {
  var beats: Int64 = 0
  var normalBeats: Int64 = 0
  var gaps: Int64 = 0
  var rrTicks: Int64 = 0
  var lastTicks: Int64 = 0
}
