import Breathing
import Glibc
import HRV
package import HeartRate
package import History
package import LiveSession
import Localization
package import Platform
package import Stress

/// Reads the status of a profile from the history.
package struct StatusSource {
  /// The parts of the status, each of which reads more of the history than the one before.
  package enum Detail: Comparable, Sendable {
    case measurement
    case trend
    case today
  }

  private let profile: String
  private let metric: HRVMetric
  private let interval: Duration
  private let calendar: LocalCalendar

  /// - Parameter interval: the time between two stored measurements of a live session.
  package init(profile: String, metric: HRVMetric, interval: Duration, calendar: LocalCalendar = .system) {
    (self.profile, self.metric) = (profile, metric)
    (self.interval, self.calendar) = (interval, calendar)
  }

  /// The status at `now`; nil if nothing was measured.
  package func status(_ reader: HistoryReader, _ detail: Detail, now: WallTime) throws -> StatusReport? {
    var status = try latest(reader, detail, now: now)
    if try reader.hasSeveralProfiles() { status?.person = profile }
    return status
  }

  private func latest(_ reader: HistoryReader, _ detail: Detail, now: WallTime) throws -> StatusReport? {
    if let start = try reader.sessionStart(of: profile), isRecent(now.seconds(since: start.time)),
      let status = status(start, now: now)
    {
      return status
    }
    guard let present = try reader.present(of: profile, before: now.moved(seconds: 6)) else { return nil }
    let latest = present.measurement
    var status = StatusReport(
      freshness: freshness(present, now: now), time: latest.time,
      age: now.seconds(since: latest.time), measurement: LiveMeasurement(latest), metric: metric,
      isSimulated: present.isSimulated)
    status.battery = present.battery
    if status.isLive { status.collected = collected(latest) }
    if detail >= .trend, status.isLive { status.trend = try trend(reader, until: latest.time) }
    guard detail == .today else { return status }
    let quarters = try reader.quarterHours(of: profile, in: calendar.start(ofDay: today(now) - 28)..<now)
    status.recent = recent(quarters, now: now)
    status.insight = insight(quarters, now: now)
    try addNormal(to: &status, latest, reader, now: now)
    return status
  }

  /// Adds the normal range, and the RMSSD that is compared with it. Today's morning reading is the insight of a person with
  /// enough of them, because one reading a day suffices.
  private func addNormal(
    to status: inout StatusReport, _ latest: StoredMeasurement, _ reader: HistoryReader, now: WallTime
  ) throws {
    let today = Int(today(now))
    status.today = today
    let morning = try reader.countedMornings(of: profile, in: today..<today + 1).first
    status.morningRMSSD = morning?.rmssd
    if let morning,
      let range = NormalRange(
        try reader.morningSeries(of: profile, morning.posture, through: today), on: today)
    {
      status.compare(with: range, morning.rmssd, isMorning: true)
      status.insight = status.normalPhrase
    } else {
      if let night = try NightTrend(reader, of: profile, in: today..<today + 1).readings.last {
        status.insight = Phrase("last night: \(night.sentence)")
      }
      let isAtRest = latest.isUsable && latest.suspension == nil
      let range = try reader.restingRange(of: profile, on: today)
      status.compare(with: range, isAtRest ? latest.rmssd : nil, isMorning: false)
    }
  }

  /// A measurement is live until two intervals and 10 s have passed.
  private func freshness(_ present: PresentState, now: WallTime) -> StatusReport.Freshness {
    guard present.outcome == nil else { return .ended }
    switch present.link {
    case .lost, .stale: return .stale(reason: Phrase("link lost"))
    case .searching, .connecting: return .stale(reason: Phrase("searching for the strap"))
    case .connected where !present.isLinkLive: return .stale(reason: Phrase("waiting for new data"))
    case .connected, nil: break
    }
    return isRecent(now.seconds(since: present.measurement.time)) ? .live : .stale(reason: nil)
  }

  /// Whether an age in s is that of a live value.
  private func isRecent(_ age: Int64) -> Bool {
    LiveLimits.storedAges(interval: interval.components.seconds).contains(age)
  }

  /// The status of a session without a measurement; nil if the session collected enough data for one, so that its sensor
  /// sends no RR intervals.
  private func status(_ start: SessionStart, now: WallTime) -> StatusReport? {
    let required = min(30, start.window)
    guard start.collected < 2 * required else { return nil }
    var status = StatusReport(
      freshness: .live, time: start.time, age: now.seconds(since: start.time),
      measurement: LiveMeasurement(), metric: metric, isSimulated: start.isSimulated)
    status.collected = StatusReport.Collected(seconds: start.collected, required: required)
    status.battery = start.battery
    return status
  }

  /// The data in the window of a measurement; nil if they suffice for a stress value.
  private func collected(_ measurement: StoredMeasurement) -> StatusReport.Collected? {
    let required = min(30, measurement.window)
    guard measurement.stress == nil, measurement.sensorClass?.warning == nil, let mean = measurement.meanNN
    else { return nil }
    let seconds = Double(measurement.beats) * mean / 1000
    return seconds < required ? StatusReport.Collected(seconds: seconds, required: required) : nil
  }

  /// Compares the last five minutes with the half hour before them.
  private func trend(_ reader: HistoryReader, until end: WallTime) throws -> StatusReport.Trend? {
    let quantity = metric.quantity
    let now = try reader.sums(of: profile, in: end.moved(seconds: -300)..<end.moved(seconds: 1))
    let before = try reader.sums(of: profile, in: end.moved(seconds: -2100)..<end.moved(seconds: -300))
    guard now.usable >= 15, before.usable >= 60, let new = now[quantity]?.mean,
      let old = before[quantity]?.mean,
      new > 0, old > 0
    else { return nil }
    let variability = try reader.restVariability(of: profile)
    return StatusReport.Trend(metric, from: old, to: new, variability: variability)
  }

  /// Mean stress of each quarter of an hour of the last three hours.
  private func recent(_ quarters: [QuarterHour], now: WallTime) -> [Double?] {
    let end = now.microseconds / 900_000_000
    var cells = [Double?](repeating: nil, count: 12)
    for quarter in quarters {
      let place = 11 - (end - quarter.start.microseconds / 900_000_000)
      if cells.indices.contains(Int(clamping: place)) { cells[Int(place)] = quarter.sums[.stress]?.mean }
    }
    return cells
  }

  /// Compares today with the four weeks before, of which five days must have enough measurements.
  private func insight(_ quarters: [QuarterHour], now: WallTime) -> Phrase? {
    guard let comparison = DayMeans(quarters, calendar).comparison(of: today(now)) else { return nil }
    let mean = comparison.mean.fixed(0)
    guard let usual = comparison.usual?.fixed(0), let kind = comparison.kind else {
      return Phrase("\(mean) on average today")
    }
    return switch kind {
    case .calmer: Phrase("calmer than usual today (\(mean), usually \(usual))")
    case .usual: Phrase("a usual day so far (\(mean), usually \(usual))")
    case .moreStressed: Phrase("more stressed than usual today (\(mean), usually \(usual))")
    }
  }

  private func today(_ now: WallTime) -> Int64 { calendar.day(of: now) }
}

extension LiveMeasurement {
  package init(_ measurement: StoredMeasurement) {
    self.init(
      time: measurement.time, rmssd: measurement.rmssd, sdnn: measurement.sdnn,
      meanHeartRate: measurement.meanHeartRate, stress: measurement.stress,
      confidence: measurement.confidence.value, factors: measurement.confidence)
    (interval, range, levelRange) = (measurement.interval, measurement.range, measurement.levelRange)
    artefacts = measurement.artefactFraction * 100
  }
}

extension StoredMeasurement {
  /// Why the stress value is not stated; nil if it is, and without one.
  package var suspension: ScoreSuspension? { LiveMeasurement(self).suspension }

  /// The category of the stress value; nil without a value that is stated.
  package var statedCategory: StressCategory? { suspension == nil ? category : nil }
}

extension StatusReport {
  /// The status of a live session, with the parts of `stored`, the status from the history, that summarise earlier measurements.
  /// - Parameter now: in ns of the boot clock.
  /// - Returns: Nil before the session's first measurement.
  package init?(_ snapshot: LiveSnapshot, metric: HRVMetric, now: Int64, stored: StatusReport?) {
    self.init(snapshot, metric: metric, now: now)
    guard let stored else { return }
    if isLive { trend = stored.trend }
    person = stored.person
    (recent, insight, today) = (stored.recent, stored.insight, stored.today)
    morningRMSSD = stored.morningRMSSD
    compare(
      with: stored.normal, morningRMSSD ?? (stress == nil ? nil : measurement.rmssd),
      isMorning: morningRMSSD != nil)
  }

  /// Compares an RMSSD at rest with a normal range.
  /// - Parameter isMorning: whether it is that of today's morning reading, so that it can differ from the measurement's.
  mutating func compare(with range: NormalRange?, _ rmssd: Double?, isMorning: Bool) {
    (normal, restingRMSSD) = (range, rmssd)
    normalPhrase = range.flatMap { range in
      rmssd.map { rmssd in
        let (value, position) = (rmssd.fixed(1), range.phrase(rmssd, today: today))
        return isMorning
          ? Phrase("this morning: HRV \(value) ms, \(position)") : Phrase("HRV \(value) ms, \(position)")
      }
    }
  }
}

extension StatusReport.Trend {
  /// Lengths in seconds of the compared parts.
  static let (latest, earlier) = (300.0, 1800.0)

  /// The direction of HRV from its mean in the earlier part to that in the latest part. It changes from the smallest
  /// detectable change on, so that the variation within one rest is `steady`.
  init(_ metric: HRVMetric, from old: Double, to new: Double, variability: RestVariability) {
    let ratio = exp(Self.detectableChange(metric, variability))
    self = new > ratio * old ? .up : old > ratio * new ? .down : .steady
  }

  /// Half of the width of the 95 % interval of the difference of ln HRV between both parts of an undisturbed rest.
  private static func detectableChange(_ metric: HRVMetric, _ variability: RestVariability) -> Double {
    switch metric {
    case .sdnn: return RestInterval.halfWidth(RestInterval.lnSDNNSD, seconds: latest, earlier)
    case .rmssd:
      let variance = variability.variance(seconds: latest) + variability.variance(seconds: earlier)
      return StudentT.quantile95(degreesOfFreedom: RestVariability.degreesOfFreedom) * variance.squareRoot()
    }
  }
}
