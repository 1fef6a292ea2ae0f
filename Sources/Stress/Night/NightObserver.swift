import HRV
package import HeartRate
import Motion

/// Reduces the events of a session to minutes, in which the nights of the session are found.
///
/// Beats have final verdicts. Memory grows by one ``NightMinute`` per minute; there is no other state that grows.
///
/// ```swift
/// var observer = NightObserver()
/// for event in events { observer.update(event) }
/// observer.finish()
/// for night in Night.all(in: observer.minutes) { print(night.rmssd ?? .nan) }
/// ```
package struct NightObserver: Sendable {
  /// By the number of the minute since the start of the session.
  package private(set) var minutes: [NightMinute] = []
  private var stream = BeatStream(classification: .none)
  private var classifier = ArtefactClassifier()
  private var sensor = SensorClassifier()
  private var motion = MotionTracker()
  /// The beats without a verdict so far, the oldest first, and whether each arrived in succession.
  private var pending: [(beat: Beat, isCertain: Bool)] = []
  private var previousNormal: Int64?
  private var previousIsGap = false
  private var previousDelay: Int64?
  private var respiration = Respiration()

  package init() {}

  /// The type of RR intervals that the sensor sends, once it is known.
  package var sensorClass: SensorClass? { sensor.sensorClass }

  /// Processes an event of the session.
  /// - Complexity: that of ``ArtefactClassifier`` per beat, and a spectrum of five minutes of beats every five minutes.
  package mutating func update(_ event: SessionEvent) {
    var found: [Beat] = []
    var isInterrupted = false
    stream.update(event) { output in
      switch output {
      case .notification(let notification): sensor.append(notification, arrival: event.arrival)
      case .beat(let beat):
        sensor.append(beat)
        found.append(beat)
      case .gap: isInterrupted = true
      case .undecodable: break
      }
    }
    if isInterrupted { previousDelay = nil }
    let isCertain = found.isEmpty || isSuccessive(found, arrival: event.arrival)
    for (place, beat) in found.enumerated() { append(beat, isCertain: place > 0 || isCertain) }
    var seconds: [MotionSecond] = []
    motion.update(event) { seconds.append($0) }
    for second in seconds { append(second) }
  }

  /// Ends the session: classifies the last beats.
  package mutating func finish() {
    var verdicts: [Verdict] = []
    classifier.finish { verdicts.append($0) }
    settle(verdicts)
    if !minutes.isEmpty { complete(minutes.count - 1) }
  }

  /// RMSSD of some minutes of the session in ms, by the definition of a night.
  package func rmssd(of range: Range<Int>) -> Double? {
    var sum = NightMinute.Differences()
    for minute in minutes[range.clamped(to: minutes.indices)] { sum += minute.differences }
    return sum.rmssd
  }

  /// Whether no beat is missing before the first of `beats`, as far as its arrival shows: its delay does not exceed that of the beat
  /// before it by more than half an interval.
  private mutating func isSuccessive(_ beats: [Beat], arrival: SessionTime?) -> Bool {
    guard let arrival, let first = beats.first, let last = beats.last else { return true }
    let delay = arrival.ticks - last.end.ticks
    defer { previousDelay = delay }
    return previousDelay.map { 2 * (delay - $0) <= first.rr.ticks } ?? true
  }

  private mutating func append(_ beat: Beat, isCertain: Bool) {
    var verdicts: [Verdict] = []
    if beat.followsBreak { classifier.interrupt { verdicts.append($0) } }
    settle(verdicts)
    verdicts.removeAll()
    pending.append((beat, isCertain))
    classifier.update(beat.rr) { verdicts.append($0) }
    settle(verdicts)
  }

  /// Adds the oldest pending beats, whose verdicts are `verdicts`, to their minutes.
  private mutating func settle(_ verdicts: [Verdict]) {
    guard !verdicts.isEmpty else { return }
    for (verdict, waiting) in zip(verdicts, pending) {
      var beat = waiting.beat
      beat.verdict = verdict
      if previousIsGap { beat.followsBreak = true }
      previousIsGap = verdict == .gap
      add(beat, isCertain: waiting.isCertain)
    }
    pending.removeFirst(verdicts.count)
  }

  private mutating func add(_ beat: Beat, isCertain: Bool) {
    let minute = minute(of: beat.end)
    if beat.followsBreak { previousNormal = nil }
    let difference = previousNormal.map { beat.rr.ticks - $0 }
    minutes[minute].add(beat, difference: difference, isCertain: isCertain)
    previousNormal = beat.verdict.isNormal ? beat.rr.ticks : nil
    respiration.add(beat)
  }

  private mutating func append(_ second: MotionSecond) {
    let minute = minute(of: second.time)
    minutes[minute].add(isStill: second.motion == .still)
    if let rate = second.respirationRate { respiration.add(chest: rate) }
  }

  /// The number of the minute that contains `time`; appends the minutes up to it.
  private mutating func minute(of time: SessionTime) -> Int {
    let number = Int(max(0, time.ticks - 1) / Self.length)
    while minutes.count <= number {
      if !minutes.isEmpty, minutes.count.isMultiple(of: Respiration.minutes) { complete(minutes.count - 1) }
      minutes.append(NightMinute())
    }
    return number
  }

  /// Sets the respiration rate of the minutes that end with `minute`.
  private mutating func complete(_ minute: Int) { minutes[minute].respiration = respiration.take() }

  static let length = 60 * RRInterval.ticksPerSecond
}

/// The respiration rate of five minutes: from the movement of the chest if there is acceleration, otherwise from respiratory sinus
/// arrhythmia.
private struct Respiration: Sendable {
  static let minutes = 5
  /// A spectrum requires half of the beats of five minutes at 50 bpm.
  private static let leastBeats = 125
  /// Number of seconds with a rate of the chest that replace the spectrum.
  private static let leastSeconds = 60.0

  private var segments = NNSegments()
  private var beats = 0
  private var chest = (seconds: 0.0, sum: 0.0)

  mutating func add(_ beat: Beat) {
    segments.append(beat)
    if beat.verdict.isNormal { beats += 1 }
  }

  mutating func add(chest rate: Double) {
    chest.seconds += 1
    chest.sum += rate
  }

  /// Returns the rate, if it is known, and begins the next five minutes.
  mutating func take() -> Float? {
    defer { self = Respiration() }
    if chest.seconds >= Self.leastSeconds { return Float(chest.sum / chest.seconds) }
    guard beats >= Self.leastBeats else { return nil }
    return RespirationRate(segments).rate.value.map(Float.init)
  }
}
