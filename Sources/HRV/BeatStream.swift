public import HeartRate

/// Converts the RR intervals of notifications to beats with times and verdicts, and detects gaps.
///
///     var stream = BeatStream(classification: .provisional)
///     var window = BeatWindow(length: .seconds(60))
///     for event in events {
///       stream.update(event) { output in
///         guard case .beat(let beat) = output else { return }
///         window.append(beat)
///         print(beat.end.seconds, window.rmssd ?? .nan)  // RMSSD of the last minute in ms
///       }
///     }
///
/// Functions that emit events are inlined into their callers to omit the construction of events that the caller ignores.
public struct BeatStream: Sendable {
  /// Whether beats are classified.
  public enum Classification: String, Sendable, CaseIterable {
    /// Each beat is classified immediately, from past beats (``ProvisionalClassifier``).
    case provisional
    /// Every beat counts as normal. Only a lost link and lost notifications cause gaps.
    case none
  }

  /// An output of the stream, emitted in causal order.
  public enum Event: Equatable, Sendable {
    /// A decoded notification; precedes the gap and the beats that it causes.
    case notification(HeartRateMeasurement)
    /// A notification that cannot be decoded. The session continues.
    case undecodable(HeartRateMeasurement.DecodingError)
    /// A gap; precedes the beat that ends it.
    case gap(Gap)
    case beat(Beat)
  }

  @usableFromInline let classification: Classification
  @usableFromInline var timeline = BeatTimeline()
  @usableFromInline var classifier = ProvisionalClassifier()
  @usableFromInline var linkLostAt: SessionTime?
  @usableFromInline var followsBreak = true
  /// Whether notifications on this link contain RR intervals; if not, those of PPI frames are used.
  @usableFromInline var sendsIntervals = false
  /// Whether PPI frames replace the intervals of notifications, as for a band that smooths the latter.
  @usableFromInline var replacement = PulseReplacement()

  public init(classification: Classification) { self.classification = classification }

  /// Processes an event of the session and passes the results to `emit`, in order.
  /// - Complexity: O(1) per interval; no allocation.
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
      if replacement.isActive { return try emit(.notification(measurement.withoutIntervals)) }
      try append(measurement, arrival: event.at, emit)
    case .interval(let rr):
      try append(HeartRateMeasurement(heartRate: nil, rrIntervals: RRIntervals(rr)), arrival: event.at, emit)
    case .link(let change) where change.state == .lost:
      linkLost(at: event.at)
    case .end:
      if let gap = finish(at: event.at) { try emit(.gap(gap)) }
    case .sensorFrame(let payload):
      if let pulses = pulses(payload) { try append(pulses, arrival: event.at, emit) }
    case .stream(let change):
      replacement.update(change, sendsIntervals: sendsIntervals)
    case .link, .battery, .mark:
      break
    }
  }

  @inlinable @inline(__always)
  mutating func append(
    _ measurement: HeartRateMeasurement, arrival: SessionTime, _ emit: (Event) throws -> Void
  ) rethrows {
    if !measurement.rrIntervals.isEmpty { sendsIntervals = true }
    try emit(.notification(measurement))
    try append(measurement.rrIntervals, arrival: arrival, emit: emit)
  }

  /// Processes the intervals of one notification.
  /// - Complexity: O(1) per interval; no allocation.
  @inlinable @inline(__always)
  public mutating func append(
    _ intervals: RRIntervals, arrival: SessionTime, emit: (Event) throws -> Void
  ) rethrows {
    try append(intervals, arrival: arrival, isReliable: { _ in true }, emit)
  }

  /// Processes intervals, of which those that are not reliable count as missing data.
  @inlinable @inline(__always)
  mutating func append(
    _ intervals: RRIntervals, arrival: SessionTime, isReliable: (Int) -> Bool, _ emit: (Event) throws -> Void
  ) rethrows {
    guard !intervals.isEmpty else { return }
    var placement = timeline.place(intervals, arrival: arrival)
    let start = placement.start
    if let lostAt = linkLostAt {
      linkLostAt = nil
      try emit(.gap(Gap(start: lostAt, end: max(lostAt, start), cause: .linkLost)))
    } else if let gapStart = placement.gapStart {
      interrupt()
      try emit(.gap(Gap(start: gapStart, end: max(gapStart, start), cause: .dataMissing)))
    }
    // By index: an iterator would retain the payload.
    for index in intervals.indices {
      let rr = intervals[index]
      let end = placement.advance(by: rr)
      if isReliable(index) { try append(rr, end: end, emit: emit) } else { try omit(rr, end: end, emit) }
    }
  }

  /// Marks a lost connection: a gap begins, which the next beat ends.
  public mutating func linkLost(at time: SessionTime) {
    guard linkLostAt == nil else { return }
    linkLostAt = time
    sendsIntervals = false
    replacement.isActive = false
    timeline.interrupt()
    interrupt()
  }

  /// Ends the session and returns the gap that is still open, if any.
  public mutating func finish(at time: SessionTime) -> Gap? {
    defer { linkLostAt = nil }
    return linkLostAt.map { Gap(start: $0, end: max($0, time), cause: .linkLost) }
  }

  @inlinable @inline(__always)
  mutating func append(_ rr: RRInterval, end: SessionTime, emit: (Event) throws -> Void) rethrows {
    let verdict = classification == .none ? .normal : classifier.classify(rr)
    if verdict == .gap { try emit(.gap(Gap(start: end - rr, end: end, cause: .longInterval))) }
    try emit(
      .beat(
        Beat(
          end: end, rr: rr, verdict: verdict, followsBreak: followsBreak,
          followsPrematureBeat: classifier.followsPrematureBeat)))
    followsBreak = verdict == .gap
  }

  @usableFromInline
  mutating func interrupt() {
    classifier.reset()
    followsBreak = true
  }
}

// Pulse-to-pulse intervals of optical bands that send no RR intervals (Polar PPI).

extension BeatStream {
  /// The PPI frame in `payload`. Other frames are ignored, as are PPI frames on a link whose notifications contain RR
  /// intervals, unless PPI was started to replace them.
  @usableFromInline
  mutating func pulses(_ payload: [UInt8]) -> SensorFrame? {
    guard !sendsIntervals || replacement.isRequested, SensorFrame.stream(of: payload) == .ppi,
      let frame = try? SensorFrame(payload: payload), frame.count > 0
    else { return nil }
    if replacement.isRequested, !replacement.isActive {
      // The intervals of the frame cover time for which the notifications contained intervals.
      replacement.isActive = true
      timeline.interrupt()
      interrupt()
    }
    return frame
  }

  /// Processes the intervals of a PPI frame like those of a notification. Intervals that are blocked, or whose error
  /// estimate exceeds ``PulseInterval/largestError``, count as missing data.
  @inlinable @inline(__always)
  mutating func append(
    _ pulses: SensorFrame, arrival: SessionTime, _ emit: (Event) throws -> Void
  ) rethrows {
    let intervals = RRIntervals(pulsesOf: pulses)
    let rate = pulses.pulseInterval(at: pulses.count - 1).heartRate
    try emit(
      .notification(HeartRateMeasurement(heartRate: rate == 0 ? nil : UInt16(rate), rrIntervals: intervals)))
    try append(
      intervals, arrival: arrival, isReliable: { pulses.pulseInterval(at: $0).isReliable }, emit)
  }

  /// Reports an interval that is not reliable as a gap.
  @inlinable @inline(__always)
  mutating func omit(_ rr: RRInterval, end: SessionTime, _ emit: (Event) throws -> Void) rethrows {
    interrupt()
    try emit(.gap(Gap(start: end - rr, end: end, cause: .dataMissing)))
  }
}

/// The state of PPI that replaces the intervals of notifications: it is started while notifications contain intervals, and is
/// active from its first frame until it ends. Otherwise PPI is used only if there are no other intervals.
@usableFromInline
struct PulseReplacement: Sendable {
  /// Whether PPI runs as a replacement.
  @usableFromInline private(set) var isRequested = false
  @usableFromInline var isActive = false
  /// A replacement is one for the whole session: after a new link, PPI can start before the first interval.
  private var isDecided = false

  @usableFromInline init() {}

  @usableFromInline
  mutating func update(_ change: SensorStreamChange, sendsIntervals: Bool) {
    guard change.stream == .ppi else { return }
    guard change.state == .started else {
      (isRequested, isActive) = (false, false)
      return
    }
    isDecided = isDecided || sendsIntervals
    isRequested = isDecided
  }
}
