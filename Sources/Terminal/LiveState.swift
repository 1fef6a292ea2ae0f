import Breathing
package import HRV
package import HeartRate
package import LiveSession
package import Stress

/// The content of a live view, derived from the events of a session, or from the lines of its feed, and from no clock.
package struct LiveState: Sendable {
  package private(set) var now = SessionTime.zero
  package private(set) var wall: WallTime?
  package private(set) var link: LinkChange?
  package private(set) var strap: StrapIdentity?
  package private(set) var battery = BatteryWatch()
  package private(set) var contact = SensorContact.unsupported
  /// Heart rate computed by the sensor, in bpm.
  package private(set) var heartRate: UInt16?
  /// The newest measurement, and the time of its beat.
  package var measurement: LiveMeasurement? {
    switch newest {
    case .engine(let measurement): LiveMeasurement(measurement)
    case .line(let measurement): measurement
    case nil: nil
    }
  }
  package private(set) var measuredAt = SessionTime.zero
  /// The kind of intervals that the sensor sends; nil before it is known.
  package private(set) var sensorClass: SensorClass?
  /// The last RR intervals with their verdicts, oldest first.
  package private(set) var recentBeats: [Beat] = []
  package private(set) var beats = 0
  package private(set) var artefacts = 0
  package private(set) var gaps = 0
  package private(set) var gapSeconds = 0.0
  package private(set) var notifications = 0
  package private(set) var undecodable = 0
  package private(set) var marks = 0
  package private(set) var hasEnded = false

  /// The electrocardiogram, in a session that receives one.
  package private(set) var ecg: SessionLine.Electrocardiogram?
  /// Respiration rate estimated from the beats; see ``analyzeRecentBeats()``.
  package internal(set) var respiration: RespirationRate?
  /// DFA alpha1 during movement and exertion, or why it is missing; see ``analyzeRecentBeats()``.
  package internal(set) var alpha: Result<AlphaEstimate, AlphaEstimate.Reason>?
  /// The pattern of the pacer and its start, while one guides the breathing.
  private var pacer: (pattern: BreathingPattern, since: SessionTime)?
  private var nextAnalysis = SessionTime.zero
  private var nextAlpha = SessionTime.zero
  private var newest: Newest?
  private var liveness = Liveness()
  /// Intervals whose verdicts have not arrived yet.
  private var unclassified: [Beat] = []
  /// Whether data are missing before the next interval.
  private var gapPrecedes = true
  /// Whether all events of the session were received, so that the numbers of beats, artefacts and gaps are those of the session.
  package private(set) var isComplete = true
  /// Whether no line has arrived for ``LiveLimits/silence``.
  package var isSilent = false
  /// Whether this is the state of a paused display while the session continues.
  package private(set) var isHeld = false
  /// Stress and RMSSD, one point per second with a beat, oldest first.
  package private(set) var trend: [TrendPoint] = []

  /// Minimum number of the newest beats that are kept; at most twice as many are.
  package static let recentBeatsKept = 400
  /// Maximum length of a trend in seconds, and minimum number of its newest points that are kept; at most twice as many
  /// are.
  package static let trendSeconds = 300

  /// The values of the engine are converted when they are shown, because few of the measurements are.
  private enum Newest: Sendable {
    case engine(StressMeasurement)
    case line(LiveMeasurement)
  }

  package struct TrendPoint: Equatable, Sendable {
    package let time: SessionTime
    package let stress: Double?
    package let rmssd: Double?
  }

  package init() {}

  /// The marks of an exercise state the pacer.
  private mutating func update(mark text: String) {
    marks += 1
    switch ExerciseMark(text: text) {
    case .pattern(let pattern): pacer = (pattern, now)
    case .breathingEnds, .paused: pacer = nil
    default: break
    }
  }

  /// Whether the stress value has no category: the person walks or runs, the heart rate is that of exertion, or the rhythm is
  /// irregular.
  package var lacksCategory: Bool {
    measurement.map { $0.stress != nil && $0.statedCategory == nil } ?? false
  }

  package mutating func update(_ event: SessionEvent) {
    now = max(now, event.at)
    wall = event.wall ?? wall
    switch event.kind {
    case .notification, .interval: notifications += 1
    case .link(let change): update(change)
    case .battery(let level): battery.update(level)
    case .mark(let text): update(mark: text)
    case .sensorFrame, .stream: break
    case .end: hasEnded = true
    }
  }

  package mutating func update(_ part: BeatStream.Event) {
    switch part {
    case .notification(let measurement):
      heartRate = measurement.plausibleHeartRate
      contact = measurement.contact
      if link?.state == .stale { link?.state = .connected }
      liveness.update(measurement)
    case .undecodable: undecodable += 1
    case .gap(let gap):
      gaps += 1
      gapSeconds += gap.seconds
    case .beat(let beat): update(beat)
    }
  }

  package mutating func update(_ measurement: StressMeasurement) {
    newest = .engine(measurement)
    add(TrendPoint(time: measurement.time, stress: measurement.score?.value, rmssd: measurement.rmssd))
  }

  private mutating func add(_ point: TrendPoint) {
    measuredAt = point.time
    liveness.receiveMeasurement()
    let second = point.time.ticks / RRInterval.ticksPerSecond
    guard trend.last.map({ $0.time.ticks / RRInterval.ticksPerSecond < second }) ?? true else { return }
    if trend.count >= 2 * Self.trendSeconds { trend.removeFirst(Self.trendSeconds) }
    trend.append(point)
  }

  package mutating func update(_ status: ECGStatus) {
    ecg = SessionLine.Electrocardiogram(
      samples: [], rate: status.rate, hasContact: status.hasContact, verified: status.verified,
      explained: status.explained, respiration: status.respiration)
  }

  package mutating func update(_ found: SensorClass?) { sensorClass = found }

  /// Whether the values shown are not live: no measurement has arrived since the strap connected, the link is in any
  /// state other than connected, or the display is paused.
  package var isStale: Bool { !hasEnded && (isHeld || isSilent || !liveness.isLive) }

  /// This state for a paused display, with the link of the running session `live`.
  package func held(while live: LiveState) -> LiveState {
    var held = self
    (held.isHeld, held.link) = (true, live.link)
    return held
  }

  private mutating func update(_ change: LinkChange) {
    link = change
    liveness.update(change)
    strap = change.strap ?? strap
  }

  private mutating func update(_ beat: Beat) {
    beats += 1
    if !beat.verdict.isNormal { artefacts += 1 }
    // Removes many at once: removing one per beat would cost more than the beat.
    if recentBeats.count >= 2 * Self.recentBeatsKept { recentBeats.removeFirst(Self.recentBeatsKept) }
    recentBeats.append(beat)
  }
}

// MARK: Lines of a feed

extension LiveState {
  /// The state of a session that another process runs, before its next line.
  package init(_ hello: FeedHello) {
    isComplete = hello.lines == 0
    strap = hello.strap.map { StrapIdentity(address: $0, name: hello.strapName) }
    if let level = hello.battery.flatMap(BatteryLevel.init(exactly:)) { battery.update(level) }
    guard let state = hello.state.flatMap(LinkChange.State.init(rawValue:)) else { return }
    update(LinkChange(state, strap: strap))
  }

  package mutating func update(_ line: SessionLine) {
    if let time = line.seconds.flatMap(SessionTime.init(seconds:)) { now = max(now, time) }
    wall = line.time.flatMap(WallTime.init(rfc3339:)) ?? wall
    isSilent = false
    switch line.content {
    case .link(let change): update(change)
    case .notification(let notification): update(notification)
    case .measurement(let measurement): update(measurement)
    case .gap(let seconds):
      // The line of a gap follows that of the notification whose intervals end it.
      if unclassified.isEmpty { gapPrecedes = true } else { unclassified[0].followsBreak = true }
      gaps += 1
      gapSeconds += seconds ?? 0
    case .mark(let text): update(mark: text)
    case .end: hasEnded = true
    case .ecg(let ecg): self.ecg = ecg
    case .motion, .notice, .other: break
    }
  }

  /// Ends a session whose end line was not received.
  package mutating func end() { hasEnded = true }

  private mutating func update(_ change: SessionLine.Link) {
    if let level = change.battery.flatMap(BatteryLevel.init(exactly:)) { battery.update(level) }
    guard let state = change.state.flatMap(LinkChange.State.init(rawValue:)) else { return }
    let strap = change.strap.map { StrapIdentity(address: $0, name: change.strapName) }
    update(LinkChange(state, strap: strap, reason: change.reason))
  }

  private mutating func update(_ notification: SessionLine.Notification) {
    notifications += 1
    guard notification.isDecoded else {
      undecodable += 1
      return
    }
    let decoded = HeartRateMeasurement(
      heartRate: notification.heartRate.flatMap { UInt16(exactly: $0) }, contact: notification.contact)
    update(.notification(decoded))
    sensorClass = notification.sensorClass
    unclassified.removeAll(keepingCapacity: true)
    // The last interval ends when its notification arrives.
    var end = now.ticks - notification.intervals.reduce(0) { $0 + $1.ticks }
    for interval in notification.intervals {
      end += interval.ticks
      unclassified.append(
        Beat(end: SessionTime(ticks: end), rr: interval, verdict: .normal, followsBreak: gapPrecedes))
      gapPrecedes = false
    }
  }

  /// Each measurement belongs to the oldest interval without a verdict.
  private mutating func update(_ measurement: LiveMeasurement) {
    newest = .line(measurement)
    if !unclassified.isEmpty {
      var beat = unclassified.removeFirst()
      beat.verdict = measurement.verdict ?? .normal
      if beat.verdict == .gap { gapPrecedes = true }
      update(beat)
    }
    add(TrendPoint(time: now, stress: measurement.stress, rmssd: measurement.rmssd))
  }
}

extension LiveState {
  /// Estimates ``respiration`` and ``alpha`` from the beats of the last two minutes, at most every five and thirty seconds.
  ///
  /// Both cost as much as many beats, so they are computed for a drawn frame, not for each beat. With thirty seconds, alpha1 costs
  /// less than 2 us per beat.
  package mutating func analyzeRecentBeats() {
    guard now >= nextAnalysis else { return }
    nextAnalysis = SessionTime(ticks: now.ticks + 5 * RRInterval.ticksPerSecond)
    let start = now.ticks - AlphaEstimate.seconds * RRInterval.ticksPerSecond
    lookForBreath(since: start)
    updateAlpha(since: start)
  }

  private mutating func updateAlpha(since start: Int64) {
    guard measurement?.suspension == .moving || measurement?.suspension == .exertion else {
      alpha = nil
      return
    }
    guard alpha == nil || now >= nextAlpha else { return }
    nextAlpha = SessionTime(ticks: now.ticks + 30 * RRInterval.ticksPerSecond)
    let beats = beats(since: start)
    alpha = Result { () throws(AlphaEstimate.Reason) in try AlphaEstimate(beats) }
  }

  private func beats(since ticks: Int64) -> ArraySlice<Beat> {
    recentBeats.suffix(recentBeats.reversed().prefix { $0.end.ticks > ticks }.count)
  }

  /// Two minutes resolve rates that differ by 0.5 breaths per minute, and a peak needs 0.66 of the power to be distinguished from
  /// noise (``RespirationRate``); the minimum is one minute, which needs 0.83. Without such a peak, the rate is that of the
  /// electrocardiogram.
  private mutating func lookForBreath(since start: Int64) {
    let segments = NNSegments(beats(since: max(start, pacer?.since.ticks ?? start)))
    let pace = pacer.map { Double(RRInterval.ticksPerSecond) / Double($0.pattern.cycleTicks) }
    let found = pace.map { RespirationRate(segments, pacedAt: $0) } ?? RespirationRate(segments)
    if found.rate.value == nil, let rate = ecg?.respiration {
      respiration = RespirationRate(rate: .value(rate), reliability: nil)
    } else {
      respiration = found
    }
  }
}
