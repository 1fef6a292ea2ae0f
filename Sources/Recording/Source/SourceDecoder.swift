package import HeartRate
import JSONLines

/// Converts the lines of another program to session events: no clock, no I/O.
///
///     var decoder = SourceDecoder(timing: .arrival)
///     decoder.decode(Array(#"{"rr_ms":[812]}"#.utf8), at: arrival) { print($0) }
///
/// Intervals become notifications with the layout of a strap's (1/1024 s), so that classes, gaps and storage are the same. The
/// first data line is preceded by the link event `connected`.
package struct SourceDecoder: Sendable {
  package enum Timing: Sendable {
    /// Lines arrive while they are written. A time stamp removes the delay of buffers, and never exceeds the arrival.
    case arrival
    /// The lines are a file: times are those of the stamps, relative to the first.
    case stamps
  }

  /// Longest session from time stamps, in ticks: 31 days.
  private static let longest = 31 * 86_400 * RRInterval.ticksPerSecond

  private let timing: Timing
  /// Number of the latest line, from 1.
  package private(set) var number = 0
  /// Number of lines that were used.
  package private(set) var accepted = 0
  /// Whether a line ended the session.
  package private(set) var hasEnded = false
  private var contact = SensorContact.unsupported
  private var strap: StrapIdentity?
  private var isConnected = false
  private var origin: Int64?
  private var lastStamp = Int64.min
  private var last = SessionTime.zero

  package init(timing: Timing) { self.timing = timing }

  /// Processes one line without its line feed, and passes its events to `emit`. Empty lines are ignored.
  /// - Parameter isTooLong: whether the line exceeded the limit and was dropped.
  /// - Returns: the reason if the line was not used, or only in part.
  package mutating func decode(
    _ bytes: [UInt8], isTooLong: Bool = false, limit: Int = LineBuffer.longestLine, at arrival: SessionTime,
    emit: (SessionTime, SessionEvent.Kind) -> Void
  ) -> RecordingDamage? {
    number += 1
    guard !hasEnded else { return RecordingDamage(line: number, .afterEnd) }
    guard isTooLong || bytes.contains(where: { $0 > 0x20 }) else { return nil }
    do {
      guard !isTooLong else { throw RecordingFormat.LineError(.lineTooLong(limit: limit)) }
      let line = try SourceLine(JSONObject(bytes))
      let (time, damage) = try time(of: line, arrival: arrival)
      accepted += 1
      process(line.content, at: time, emit)
      return damage.map { RecordingDamage(line: number, $0) }
    } catch let error as JSONSyntaxError {
      return RecordingDamage(line: number, .notJSON(expected: error.expected, offset: error.offset))
    } catch {
      let reason = (error as? RecordingFormat.LineError)?.reason
      return RecordingDamage(line: number, reason ?? .unreadable(String(describing: error)))
    }
  }

  // MARK: Times

  private mutating func time(
    of line: SourceLine, arrival: SessionTime
  ) throws(RecordingFormat.LineError) -> (SessionTime, RecordingDamage.Reason?) {
    var damage: RecordingDamage.Reason?
    let time: SessionTime
    switch (timing, line.stamp) {
    case (.arrival, nil): time = arrival
    case (.arrival, let stamp?):
      if stamp < lastStamp { (damage, origin) = (.timeBackwards, nil) }
      // The smallest delay so far is that of an empty buffer.
      let start = max(origin ?? stamp - arrival.ticks, stamp - arrival.ticks)
      (origin, lastStamp) = (start, stamp)
      time = SessionTime(ticks: stamp - start)
    case (.stamps, nil):
      guard !line.needsTime else {
        throw RecordingFormat.LineError(
          .unexpected(member: "t", expected: "seconds, because the lines of a file have no arrival times"))
      }
      time = last
    case (.stamps, let stamp?):
      let start = origin ?? stamp
      guard stamp - start <= Self.longest else {
        throw RecordingFormat.LineError(
          .unexpected(member: "t", expected: "a time at most 31 days after the first"))
      }
      if stamp < lastStamp { damage = .timeBackwards }
      (origin, lastStamp) = (start, max(stamp, lastStamp))
      time = SessionTime(ticks: lastStamp - start)
    }
    last = max(last, time)
    return (last, damage)
  }

  // MARK: Events

  private mutating func process(
    _ content: SourceLine.Content, at time: SessionTime, _ emit: (SessionTime, SessionEvent.Kind) -> Void
  ) {
    switch content {
    case .header(let strap): self.strap = strap
    case .sensor(let strap):
      self.strap = strap
      connect(at: time, emit)
    case .contact(let isOn):
      contact = isOn ? .detected : .notDetected
      // As a strap without contact sends it: no heart rate and no intervals.
      if !isOn { notify(HeartRateMeasurement(heartRate: 0, contact: contact), at: time, emit) }
    case .beats(let beats):
      if let isOn = beats.contact { contact = isOn ? .detected : .notDetected }
      notify(beats.measurement(contact), at: time, emit)
    case .event(.link(let change)):
      isConnected = change.state.hasLiveData
      strap = change.strap ?? strap
      emit(time, .link(change))
    case .event(.interval(let rr)):
      notify(SourceLine.Beats(rr).measurement(contact), at: time, emit)
    case .event(let kind):
      switch kind {
      case .end: hasEnded = true
      case .mark: break
      default: if !isConnected { connect(at: time, emit) }
      }
      emit(time, kind)
    }
  }

  private mutating func notify(
    _ measurement: HeartRateMeasurement, at time: SessionTime,
    _ emit: (SessionTime, SessionEvent.Kind) -> Void
  ) {
    if !isConnected { connect(at: time, emit) }
    emit(time, .notification(payload: measurement.encoded()))
  }

  private mutating func connect(at time: SessionTime, _ emit: (SessionTime, SessionEvent.Kind) -> Void) {
    isConnected = true
    emit(time, .link(LinkChange(.connected, strap: strap)))
  }

  /// The event of a source whose lines have stopped; nil if it is known already.
  package mutating func stalled() -> SessionEvent.Kind? {
    guard isConnected else { return nil }
    isConnected = false
    return .link(LinkChange(.stale, strap: strap))
  }
}

extension SourceLine {
  /// Whether the line carries beats, which have a place in time.
  fileprivate var needsTime: Bool {
    switch content {
    case .header, .sensor, .event(.mark), .event(.end): false
    case .beats, .contact, .event: true
    }
  }
}

extension SourceLine.Beats {
  fileprivate init(_ rr: RRInterval) {
    let ticks = rr.ticks + RRInterval.ticksPerGATTUnit / 2
    intervals = [UInt16(clamping: ticks / RRInterval.ticksPerGATTUnit)]
  }

  /// The values as a notification. Without a heart rate, it is that of the last interval.
  fileprivate func measurement(_ contact: SensorContact) -> HeartRateMeasurement {
    let derived = intervals.last.map { UInt16(clamping: (61_440 + Int($0) / 2) / max(1, Int($0))) }
    return HeartRateMeasurement(
      heartRate: heartRate ?? derived, contact: contact, rrIntervals: RRIntervals(gattUnits: intervals))
  }
}
