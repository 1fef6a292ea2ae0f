package import HeartRate

/// The newest values of a live session, from the lines of its feed.
///
/// ```swift
/// var snapshot = LiveSnapshot(hello)
/// snapshot.update(line, at: SystemClock.boot)
/// guard snapshot.isLive(at: SystemClock.boot), let measurement = snapshot.measurement else { return }
/// print(snapshot.currentHeartRate ?? .nan, measurement.rmssd ?? .nan, measurement.statedStress ?? .nan)
/// ```
///
/// Each update has the time of its arrival in ns of the boot clock of the reader. Ages and liveness depend on this clock only, so
/// steps of the wall clock, and the clock of a browser, do not affect them.
package struct LiveSnapshot: Equatable, Sendable {
  package let session: String
  package let profile: String
  package let isSimulated: Bool
  /// The last state of the link.
  package private(set) var link: String?
  /// Whether the newest values are not live, as the lines state.
  private(set) var isStale: Bool
  package private(set) var strap: String?
  package private(set) var strapName: String?
  /// Breaths per minute from the movement of the chest, and from the electrocardiogram.
  private var chest = Respiration(), amplitudes = Respiration()
  /// Arrival of `heartRate` and of `measurement`.
  private var heartRateArrival: Int64?
  private var measurementArrival: Int64?
  /// Arrival of the latest notification or measurement.
  private(set) var dataArrival: Int64?
  /// The numbers of events since the session, or the connection to it, began.
  package private(set) var counts = SessionCounts()
  /// Whether the strap touches the skin, if the strap reports it.
  package private(set) var isWorn: Bool?
  /// Charge of the strap's battery in percent, once known.
  package private(set) var battery: Int?
  /// The latest marks, the newest last.
  package private(set) var marks: [FeedMark] = []
  /// The heart rate of the latest notification that contains a plausible one.
  package private(set) var heartRate: FeedHeartRate?
  /// The latest measurement, once the session has one.
  package private(set) var measurement: LiveMeasurement?

  private var hasBeenConnected = false

  private static let mostMarks = 64

  package init(_ hello: FeedHello) {
    (session, profile, isSimulated) = (hello.session, hello.profile, hello.isSimulated)
    (link, isStale) = (hello.state, hello.isStale)
    (strap, strapName, battery) = (hello.strap, hello.strapName, hello.battery)
    hasBeenConnected = link == LinkChange.State.connected.rawValue
  }

  /// - Parameter now: time of arrival in ns of the boot clock.
  package mutating func update(_ line: SessionLine, at now: Int64) {
    switch line.content {
    case .link(let change): update(change)
    case .notification(let notification):
      dataArrival = now
      count(notification)
      guard let value = notification.heartRate, let time = line.time else { return }
      (heartRate, heartRateArrival) = (FeedHeartRate(value: value, time: time), now)
      // Without RR intervals there are no measurements, so the heart rate is the live value.
      if measurement == nil, state == .connected { isStale = false }
    case .measurement(let new):
      (measurement, measurementArrival, dataArrival, isStale) = (new, now, now, false)
    case .motion(let rate): chest = Respiration(rate: rate, arrival: now)
    case .ecg(let ecg): amplitudes = Respiration(rate: ecg.respiration, arrival: now)
    case .gap(seconds: _): counts.gaps += 1
    case .mark(let text):
      guard let time = line.time else { return }
      marks = marks.suffix(Self.mostMarks - 1) + [FeedMark(text: text, time: time)]
    case .end: isStale = true
    case .notice, .other: break
    }
  }

  private mutating func count(_ notification: SessionLine.Notification) {
    counts.beats += notification.intervals.count
    if !notification.isDecoded { counts.invalidNotifications += 1 }
    isWorn = notification.contact == .unsupported ? isWorn : notification.contact == .detected
  }

  private mutating func update(_ change: SessionLine.Link) {
    let connected = LinkChange.State.connected.rawValue
    if change.state == connected, link != connected, link != LinkChange.State.stale.rawValue {
      if hasBeenConnected { counts.reconnections += 1 }
      hasBeenConnected = true
    }
    link = change.state ?? link
    isStale = change.isStale ?? isStale
    strap = change.strap ?? strap
    strapName = change.strapName ?? strapName
    battery = change.battery ?? battery
  }

  /// Breaths per minute from the movement of the chest, otherwise from the electrocardiogram, if they can be counted.
  package var respiration: Double? { newestRespiration.rate }

  private var newestRespiration: Respiration {
    chest.rate == nil && amplitudes.rate != nil ? amplitudes : chest
  }

  /// Number of interruptions of the data.
  package var gaps: Int { counts.gaps }

  /// The state of the link, as far as the lines state it.
  package var state: LinkChange.State? { link.flatMap(LinkChange.State.init(rawValue:)) }
}

/// A breathing rate in breaths per minute, with the arrival of its line in ns of the boot clock.
private struct Respiration: Equatable, Sendable {
  var rate: Double?
  var arrival: Int64?
}

/// Numbers of events of a session.
package struct SessionCounts: Equatable, Sendable {
  package var beats = 0
  /// Interruptions of the data.
  package var gaps = 0
  package var reconnections = 0
  /// Notifications whose payload could not be decoded.
  package var invalidNotifications = 0

  package init() {}
}

// MARK: Ages

extension LiveSnapshot {
  /// The current heart rate in bpm: that of the latest notification, or the mean of the window before the first one.
  package var currentHeartRate: Double? { heartRate?.value ?? measurement?.meanHeartRate }

  /// The age of the measurement at `now` in whole seconds, if there is a measurement.
  package func age(at now: Int64) -> Int64? { Self.seconds(measurementArrival, now) }
  /// The age of the latest heart rate, like ``age(at:)``.
  package func heartRateAge(at now: Int64) -> Int64? { Self.seconds(heartRateArrival, now) }
  /// The age of ``respiration``, like ``age(at:)``.
  package func respirationAge(at now: Int64) -> Int64? { Self.seconds(newestRespiration.arrival, now) }

  private static func seconds(_ arrival: Int64?, _ now: Int64) -> Int64? {
    arrival.map { max(0, now - $0) / 1_000_000_000 }
  }
}

/// A mark of a session: a note of the user, or a stage of a guided exercise.
package struct FeedMark: Equatable, Sendable {
  package let text: String
  /// RFC 3339.
  package let time: String

  package init(text: String, time: String) { (self.text, self.time) = (text, time) }
}

/// A heart rate that the sensor sent.
package struct FeedHeartRate: Equatable, Sendable {
  /// In bpm.
  package let value: Double
  /// Time of arrival, RFC 3339.
  package let time: String
}
