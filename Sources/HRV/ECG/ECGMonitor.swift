public import HeartRate

/// Verifies the beats of a live session with the electrocardiogram that the strap sends with them.
///
/// Inactive until the event that ``SensorStreamChange/verifies`` describes: without it, nothing is computed. Equal events give
/// equal results, live or replayed.
///
/// RR intervals arrive up to several seconds after their beats; ``PeakAlignment`` determines the delay. An interval is
/// verified when the R peaks up to its end are certain, one to two seconds after its arrival.
public struct ECGMonitor: Sendable {
  /// A beat, and what the electrocardiogram shows about it.
  private struct Entry: Sendable {
    var beat: Beat
    var result: BeatVerification?
  }

  private struct Peak: Sendable {
    /// Session time in seconds.
    var time: Double
    var width: Double
    var area: Double
    var isClear: Bool
  }

  /// Number of beats that are aligned together; the latest are verified.
  private static let aligned = 45
  /// Number of pending beats, or age of the oldest in seconds, at which they are verified.
  private static let (batch, patience) = (3, 15.0)
  /// Limit of the pending beats, for a strap that sends beats and no frames.
  private static let mostPending = 256
  /// An interval below this fraction of the median of the peaks is premature (Task Force 1996: 20 %).
  private static let premature = 0.8
  /// Seconds of peaks from which respiration is estimated, and seconds between two estimates.
  private static let (breathing, breathingStep) = (120.0, 5.0)
  /// Width and area relative to the medians of the person from which a complex is wide.
  private static let (wide, large) = (1.25, 1.2)
  /// Tolerance in ms of an interval that begins or ends at a wide complex, in which the sensor may find its peak elsewhere.
  private static let wideTolerance = 100.0
  /// Range of an electrocardiogram with contact in µV.
  private static let range = 60.0...20_000.0

  /// Whether the session has an electrocardiogram that verifies its beats.
  public private(set) var isActive = false
  private var clock = StrapClock()
  private var detector: LivePeakDetector?
  private var lastTimestamp: UInt64?
  private var peaks: [Peak] = []
  /// The clear peaks of the last ``breathing`` seconds.
  private var amplitudes: [(time: Double, amplitude: Double)] = []
  private var nextEstimate = -Double.infinity
  private var entries: [Entry] = []
  private var pending = 0
  /// The result for the whole session so far.
  public private(set) var status = ECGStatus()

  public init() {}

  /// Processes an event: the start and the end of the stream, and its frames.
  /// - Returns: whether ``status`` is new.
  public mutating func update(_ event: SessionEvent) -> Bool {
    switch event.kind {
    case .stream(let change) where change.stream == .ecg:
      restart(change)
    case .link(let change) where change.state == .lost:
      interrupt()
    case .sensorFrame(let payload) where isActive && SensorFrame.stream(of: payload) == .ecg:
      guard let frame = try? SensorFrame(payload: payload), frame.count > 0 else { return false }
      append(frame, arrival: event.at)
      return true
    default: break
    }
    return false
  }

  /// Adds a beat with its provisional verdict.
  public mutating func append(_ beat: Beat) {
    entries.append(Entry(beat: beat))
    pending += 1
    if pending > Self.mostPending { settle(all: false) }
    if entries.count > 1024 { drop(entries.count - 512) }
  }

  /// The fraction of the beats that end after `start` whose verdict the electrocardiogram confirms: normal beats that are
  /// confirmed, and excluded ones that are explained. Nil without beats.
  public func verifiedFraction(after start: SessionTime) -> Double? {
    var (beats, verified) = (0, 0)
    for entry in entries.reversed() {
      guard entry.beat.end > start else { break }
      beats += 1
      guard let result = entry.result, result.isExplained else { continue }
      if result == .confirmed || !entry.beat.verdict.isNormal { verified += 1 }
    }
    return beats > 0 ? Double(verified) / Double(beats) : nil
  }

  // MARK: The stream

  private mutating func restart(_ change: SensorStreamChange) {
    guard change.state == .started else { return interrupt() }
    isActive = isActive || change.verifies
    status.rate = min(max(50, change.settings.rate.map(Double.init) ?? status.rate), 1000)
    interrupt()
  }

  private mutating func interrupt() {
    (detector, lastTimestamp, clock, peaks) = (nil, nil, StrapClock(), [])
    (amplitudes, nextEstimate, status.respiration) = ([], -.infinity, nil)
    if isActive { settle(all: true) }
  }

  private mutating func append(_ frame: SensorFrame, arrival: SessionTime) {
    let end = clock.update(timestamp: frame.timestamp, arrival: arrival).seconds
    if !continues(frame) { detector = nil }
    lastTimestamp = frame.timestamp
    var search = detector ?? LivePeakDetector(rate: status.rate)
    if detector == nil { peaks = [] }
    var samples: [Double] = []
    samples.reserveCapacity(frame.count)
    frame.forEachECG { samples.append(Double($0)) }
    let hasRange = { Self.range.contains(search.recentRange) }
    for complex in search.append(samples) {
      let peak = Peak(
        time: end - (Double(search.count - 1) - complex.position) / status.rate, width: complex.width,
        area: complex.area,
        isClear: complex.prominence >= QRSComplex.leastProminence && hasRange())
      peaks.append(peak)
      if peak.isClear { amplitudes.append((peak.time, complex.amplitude)) }
    }
    if peaks.count > 2 * Self.aligned { peaks.removeFirst(peaks.count - 2 * Self.aligned) }
    detector = search
    status.hasContact = hasContact(at: end) && hasRange()
    estimateRespiration(at: end)
    verify(at: end)
  }

  /// Whether no sample is missing before the frame: at most a tenth of its length.
  private func continues(_ frame: SensorFrame) -> Bool {
    guard let lastTimestamp, frame.timestamp > lastTimestamp else { return false }
    let samples = Double(frame.timestamp - lastTimestamp) * 1e-9 * status.rate
    return (samples - Double(frame.count)).magnitude <= 0.1 * Double(frame.count)
  }

  /// Whether most peaks of the last five seconds are clear.
  private func hasContact(at end: Double) -> Bool {
    let recent = peaks.suffix(8).filter { $0.time > end - 5 }
    return !recent.isEmpty && 2 * recent.count(where: \.isClear) > recent.count
  }

  private mutating func estimateRespiration(at end: Double) {
    guard end >= nextEstimate else { return }
    nextEstimate = end + Self.breathingStep
    amplitudes.removeAll { $0.time < end - Self.breathing }
    status.respiration = status.hasContact ? RespirationRate(amplitudes: amplitudes).rate.value : nil
  }

  // MARK: Verification

  private mutating func verify(at now: Double) {
    guard pending > 0 else { return }
    let oldest = entries[entries.count - pending].beat.end.seconds
    guard pending >= Self.batch || now - oldest > 4 else { return }
    let start = max(0, entries.count - max(Self.aligned, pending))
    let beats = entries[start...].map(\.beat)
    let times = peaks.map(\.time)
    let assigned = PeakAlignment(beats, peaks: times).assigned
    for (place, pair) in assigned.enumerated() where start + pair.beat >= entries.count - pending {
      let before = place > 0 && assigned[place - 1].beat == pair.beat - 1 ? assigned[place - 1] : nil
      set(result(beats[pair.beat], pair.peak, before, times), at: start + pair.beat)
    }
    let known = entries.suffix(pending).prefix { $0.result != nil }.count
    pending -= known
    if pending > 0, now - entries[entries.count - pending].beat.end.seconds > Self.patience {
      settle(all: false)
    }
  }

  private func result(
    _ beat: Beat, _ peak: Int?, _ before: (beat: Int, peak: Int?)?, _ times: [Double]
  ) -> BeatVerification {
    let nearest = peak ?? times.lastIndex { $0 < beat.end.seconds } ?? 0
    guard peaks[max(0, nearest - 1)...nearest].allSatisfy(\.isClear) else { return .unverified }
    switch BeatEvidence(beat, endingAt: peak, of: times) {
    case .missedPeak: return .missed
    case .noPeak: return .extra
    case .different:
      if before != nil, before?.peak == nil { return .extra }
      return isAboutEqual(beat, endingAt: nearest) ? rhythm(at: nearest, times) : .unexplained
    case .same: return rhythm(at: nearest, times)
    }
  }

  private func isAboutEqual(_ beat: Beat, endingAt peak: Int) -> Bool {
    guard peak > 0, isWide(peak) || isWide(peak - 1) else { return false }
    let interval = 1000 * (peaks[peak].time - peaks[peak - 1].time)
    return (beat.rr.milliseconds - interval).magnitude <= Self.wideTolerance
  }

  private func isWide(_ peak: Int) -> Bool {
    func isAbove(_ limit: Double, _ value: KeyPath<Peak, Double>) -> Bool {
      let sorted = peaks.map { $0[keyPath: value] }.sorted()
      return peaks[peak][keyPath: value] > limit * sorted[sorted.count / 2]
    }
    return isAbove(Self.wide, \.width) || isAbove(Self.large, \.area)
  }

  /// Whether the peak is premature, and wide.
  private func rhythm(at peak: Int, _ times: [Double]) -> BeatVerification {
    let around = max(1, peak - 10)..<min(times.count, peak + 11)
    let usual = around.map { times[$0] - times[$0 - 1] }.sorted()
    guard usual.count >= 5, times[peak] - times[peak - 1] < Self.premature * usual[usual.count / 2] else {
      return .confirmed
    }
    return isWide(peak) ? .earlyWide : .earlyNarrow
  }

  /// Gives up on pending beats: on all, or on the oldest.
  private mutating func settle(all: Bool) {
    let count = all ? pending : 1
    for index in entries.count - pending..<entries.count - pending + count where entries[index].result == nil
    {
      set(.unverified, at: index)
    }
    pending -= count
  }

  private mutating func set(_ result: BeatVerification, at index: Int) {
    guard entries[index].result == nil else { return }
    entries[index].result = result
    status.counts[result, default: 0] += 1
    status.latest = result
  }

  private mutating func drop(_ count: Int) {
    let count = min(count, entries.count - pending)
    entries.removeFirst(count)
  }
}

/// The state of the verification of a session.
public struct ECGStatus: Equatable, Sendable {
  /// Whether the electrocardiogram shows contact; false also before the first R peaks.
  public internal(set) var hasContact = false
  /// Sampling rate in Hz.
  public internal(set) var rate = 130.0
  /// Breaths per minute from the amplitudes of the R peaks of the last two minutes, if they can be counted.
  public internal(set) var respiration: Double?
  /// Number of beats of each result.
  public internal(set) var counts: [BeatVerification: Int] = [:]
  /// The result of the beat that was verified last.
  public internal(set) var latest: BeatVerification?

  /// Number of beats that the electrocardiogram covers.
  public var verified: Int { counts.reduce(0) { $0 + ($1.key == .unverified ? 0 : $1.value) } }
  /// Number of beats that it confirms or explains.
  public var explained: Int { counts.reduce(0) { $0 + ($1.key.isExplained ? $1.value : 0) } }
}
