public import HeartRate

/// Turns the RR intervals of notifications into beats with times and verdicts, and finds the gaps between them.
///
/// What hands out events is inlined where it is called, so that those that nobody looks at are never made.
public struct BeatStream: Sendable {
  /// Whether beats are judged.
  public enum Judging: String, Sendable, CaseIterable {
    /// Every beat is judged at once, from past beats (``BeatJudge``).
    case provisional
    /// Every beat counts as normal, whatever it is. Only a lost link and lost notifications make gaps.
    case none
  }

  /// What comes of an event of the session, in the order of its causes.
  public enum Event: Equatable, Sendable {
    /// A notification, decoded. Comes before the gap and the beats that it causes.
    case notification(HeartRateMeasurement)
    /// A notification that does not decode. The session goes on.
    case undecodable(HeartRateMeasurement.DecodingError)
    /// Comes before the beat that ends it.
    case gap(Gap)
    case beat(Beat)
  }

  @usableFromInline let judging: Judging
  @usableFromInline var timeline = BeatTimeline()
  @usableFromInline var judge = BeatJudge()
  @usableFromInline var linkLostAt: SessionTime?
  @usableFromInline var followsBreak = true

  public init(judging: Judging) { self.judging = judging }

  /// Takes the next event of the session and hands what follows from it to `emit`, in order.
  /// - Complexity: O(1) per interval; allocates nothing.
  @inlinable @inline(__always)
  public mutating func update(_ event: SessionEvent, emit: (Event) throws -> Void) rethrows {
    switch event.kind {
    case .notification(let payload):
      let measurement: HeartRateMeasurement
      do {
        measurement = try HeartRateMeasurement(payload: payload)
      } catch {
        return try emit(.undecodable(error))
      }
      try append(measurement, arrival: event.at, emit)
    case .interval(let rr):
      try append(HeartRateMeasurement(heartRate: nil, rrIntervals: RRIntervals(rr)), arrival: event.at, emit)
    case .link(let change) where change.state == .lost:
      linkLost(at: event.at)
    case .end:
      if let gap = finish(at: event.at) { try emit(.gap(gap)) }
    case .link, .battery, .mark:
      break
    }
  }

  @inlinable @inline(__always)
  mutating func append(
    _ measurement: HeartRateMeasurement, arrival: SessionTime, _ emit: (Event) throws -> Void
  ) rethrows {
    try emit(.notification(measurement))
    try append(measurement.rrIntervals, arrival: arrival, emit: emit)
  }

  /// Takes the intervals of one notification.
  /// - Complexity: O(1) per interval; allocates nothing.
  @inlinable @inline(__always)
  public mutating func append(
    _ intervals: RRIntervals, arrival: SessionTime, emit: (Event) throws -> Void
  ) rethrows {
    guard !intervals.isEmpty else { return }
    var placement = timeline.place(intervals, arrival: arrival)
    let start = placement.start
    if let lostAt = linkLostAt {
      linkLostAt = nil
      try emit(.gap(Gap(start: lostAt, end: max(lostAt, start), cause: .linkLost)))
    } else if let gapStart = placement.gapStart {
      breakOff()
      try emit(.gap(Gap(start: gapStart, end: max(gapStart, start), cause: .dataMissing)))
    }
    // By index: an iterator would hold on to the payload.
    for index in intervals.indices {
      let rr = intervals[index]
      try append(rr, end: placement.advance(by: rr), emit: emit)
    }
  }

  /// The connection ended: a gap begins, which the next beat will end.
  public mutating func linkLost(at time: SessionTime) {
    guard linkLostAt == nil else { return }
    linkLostAt = time
    timeline.breakOff()
    breakOff()
  }

  /// The session ended. Returns the gap that was still open.
  public mutating func finish(at time: SessionTime) -> Gap? {
    defer { linkLostAt = nil }
    return linkLostAt.map { Gap(start: $0, end: max($0, time), cause: .linkLost) }
  }

  @inlinable @inline(__always)
  mutating func append(_ rr: RRInterval, end: SessionTime, emit: (Event) throws -> Void) rethrows {
    let verdict = judging == .none ? .normal : judge.judge(rr)
    if verdict == .gap { try emit(.gap(Gap(start: end - rr, end: end, cause: .longInterval))) }
    try emit(.beat(Beat(end: end, rr: rr, verdict: verdict, followsBreak: followsBreak)))
    followsBreak = verdict == .gap
  }

  @usableFromInline
  mutating func breakOff() {
    judge.forget()
    followsBreak = true
  }
}
