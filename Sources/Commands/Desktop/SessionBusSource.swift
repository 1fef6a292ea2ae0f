import DBus
import Desktop
import Glibc
import HRV
import HeartRate
import History
import LiveFeed
import LiveSession
import Platform
import Session
import Stress

/// The values of one session for the session bus, from its live feed, and its methods.
struct SessionBusSource: BusServiceSource {
  private let plan: SessionPlan
  private let metric: HRVMetric
  private let marker: SessionMarker?
  /// Starts the exercise of the key `b`; absent without the screen that shows it.
  private let startBreathing: SessionSetup.StartExercise?
  private let reader: FeedReader
  private var snapshot: LiveSnapshot?
  private(set) var hasEnded = false
  /// End of the reading, in ns of the boot clock.
  private var readingEnd: Int64?

  /// - Throws: `FileError` if the feed cannot be read.
  init(
    _ member: SessionMember, _ marker: SessionMarker?, _ directory: FeedDirectory
  ) throws(FileError) {
    (plan, metric, self.marker) = (member.plan, member.setup.settings.metric, marker)
    startBreathing = member.setup.startExercise
    reader = try FeedReader(directory, session: member.plan.id.text)
  }

  // MARK: Values

  var properties: [String: DBusValue] { values.properties }

  var changed: [DBusValue] { values.changed }

  /// Values that are not live are missing.
  private var values: StressmonValues {
    var values = StressmonValues(person: plan.profile)
    guard let snapshot else { return values }
    let now = SystemClock.boot
    values.age = snapshot.age(at: now).map(Double.init)
    guard snapshot.isLive(at: now) else {
      values.state = snapshot.link ?? values.state
      return values
    }
    values.state = "live"
    if Self.isRecent(snapshot.heartRateAge(at: now)) { values.heartRate = snapshot.heartRate?.value }
    guard let measurement = snapshot.measurement, Self.isRecent(snapshot.age(at: now)) else { return values }
    (values.stress, values.category) = (measurement.statedStress, measurement.statedCategory?.rawValue)
    (values.confidence, values.hrv) = (measurement.confidence, measurement.hrv(metric))
    return values
  }

  /// The link can be live while its notifications contain no beats.
  private static func isRecent(_ age: Int64?) -> Bool {
    age.map { $0 * 1_000_000_000 <= LiveLimits.silence } ?? false
  }

  mutating func wait(atMost milliseconds: CInt, polling others: [pollfd]) {
    for event in reader.wait(atMost: milliseconds, polling: others) {
      switch event {
      case .began(let hello): snapshot = LiveSnapshot(hello)
      case .line(let line):
        if let content = line.content { snapshot?.update(content, at: SystemClock.boot) }
      case .ended(_, .disconnected(.behind)): break
      case .ended: hasEnded = true
      }
    }
  }

  mutating func takeSignals() -> [(member: String, arguments: [DBusValue])] {
    guard let readingEnd, SystemClock.boot >= readingEnd else { return [] }
    self.readingEnd = nil
    return [("ReadingFinished", values.reading)]
  }

  // MARK: Methods

  mutating func perform(_ call: IncomingMessage, _ signature: String) throws(BusError) -> [DBusValue]? {
    switch (call.member, signature) {
    case ("Mark", "s"): [.double(try mark(call.arguments.first?.string ?? ""))]
    case ("StartReading", ""): [.double(try startReading())]
    case ("StartBreathing", ""): try breathe()
    default: nil
    }
  }

  /// Returns the session time of the mark in s.
  private func mark(_ text: String) throws(BusError) -> Double {
    let note = FeedRequest.normalized(text)
    guard !FeedRequest.isTooLong(note: note) else {
      throw .invalidArguments("the text has more than \(FeedRequest.longestNote) characters")
    }
    guard let marker else {
      throw StressmonInterface.error(.notPossible, "this session is an exercise, which accepts no marks")
    }
    return marker.mark(note: note.isEmpty ? nil : note).at.seconds
  }

  /// Returns the length of the reading in s: that of the window, whose values then date from after this call.
  private mutating func startReading() throws(BusError) -> Double {
    guard readingEnd == nil else { throw StressmonInterface.error(.busy, "a reading is being taken") }
    let values = values
    guard values.state == "live", let window = snapshot?.measurement?.window else {
      throw StressmonInterface.error(
        .notLive, "the session has no live measurement to read (state: \(values.state))")
    }
    readingEnd = SystemClock.boot + Int64(window * 1e9)
    return window
  }

  private func breathe() throws(BusError) -> [DBusValue] {
    guard let startBreathing else {
      throw StressmonInterface.error(
        .notPossible,
        "this session has no screen for an exercise: end it and type 'stressmon breathe' in a terminal")
    }
    guard startBreathing() else { throw StressmonInterface.error(.busy, "an exercise is running") }
    return []
  }
}
