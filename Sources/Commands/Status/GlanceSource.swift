import HeartRate
import History
import Localization
import Platform
import Stress
import Terminal

/// What the history says about now, for one person.
struct GlanceSource {
  let profile: String
  let metric: HRVMetric
  /// How often a live session stores a measurement.
  let interval: Duration
  var calendar = LocalCalendar.system

  /// Nil while nothing was measured. The larger, the more of the history is read.
  func glance(_ reader: HistoryReader, _ size: GlanceSize, now: WallTime) throws -> Glance? {
    if let start = try reader.sessionStart(of: profile), isRecent(now.seconds(since: start.time)),
      let glance = glance(start, now: now)
    {
      return glance
    }
    guard let present = try reader.present(of: profile, before: now.moved(seconds: 6)) else { return nil }
    let latest = present.measurement
    var glance = Glance(
      freshness: freshness(present, now: now), time: latest.time,
      age: now.seconds(since: latest.time), stress: latest.stress,
      hrv: metric == .rmssd ? latest.rmssd : latest.sdnn, metric: metric, heartRate: latest.meanHeartRate,
      confidence: latest.confidence.value, isSimulated: present.isSimulated)
    if glance.isLive { glance.collected = collected(latest) }
    if size != .small, glance.isLive { glance.trend = try trend(reader, until: latest.time) }
    guard size == .large else { return glance }
    let quarters = try reader.quarterHours(of: profile, in: calendar.start(ofDay: today(now) - 28)..<now)
    glance.recent = recent(quarters, now: now)
    glance.insight = insight(quarters, now: now)
    return glance
  }

  /// Live is what is no older than two stored measurements lie apart, and 10 s for all that may be late.
  private func freshness(_ present: PresentState, now: WallTime) -> Glance.Freshness {
    guard present.outcome == nil else { return .ended }
    switch present.link {
    case .lost, .stale: return .stale(reason: Phrase("link lost"))
    case .searching, .connecting: return .stale(reason: Phrase("searching for the strap"))
    case .connected where !present.isLinkLive: return .stale(reason: Phrase("waiting for new data"))
    case .connected, nil: break
    }
    return isRecent(now.seconds(since: present.measurement.time)) ? .live : .stale(reason: nil)
  }

  /// A clock that was set back can give a new value an age slightly below 0.
  private func isRecent(_ age: Int64) -> Bool {
    (-5...(2 * interval.components.seconds + 10)).contains(age)
  }

  /// A session that has no measurement yet.
  private func glance(_ start: SessionStart, now: WallTime) -> Glance? {
    let required = min(30, start.window)
    // Without RR intervals there never is a measurement.
    guard start.collected < 2 * required else { return nil }
    var glance = Glance(
      freshness: .live, time: start.time, age: now.seconds(since: start.time), stress: nil, hrv: nil,
      metric: metric, heartRate: nil, confidence: 0, isSimulated: start.isSimulated)
    glance.collected = Glance.Collected(seconds: start.collected, required: required)
    return glance
  }

  /// How much of the required data the window of a measurement holds; nil if that is enough.
  private func collected(_ measurement: StoredMeasurement) -> Glance.Collected? {
    let required = min(30, measurement.window)
    guard measurement.stress == nil, measurement.sensorClass?.warning == nil, let mean = measurement.meanNN
    else { return nil }
    let seconds = Double(measurement.beats) * mean / 1000
    return seconds < required ? Glance.Collected(seconds: seconds, required: required) : nil
  }

  /// The last five minutes against the half hour before them. Two minutes of one and the same rest differ by about a
  /// quarter (of ln RMSSD); less than that is no trend.
  private func trend(_ reader: HistoryReader, until end: WallTime) throws -> Glance.Trend? {
    let quantity = metric.quantity
    let now = try reader.sums(of: profile, in: end.moved(seconds: -300)..<end.moved(seconds: 1))
    let before = try reader.sums(of: profile, in: end.moved(seconds: -2100)..<end.moved(seconds: -300))
    guard now.usable >= 15, before.usable >= 60, let new = now[quantity]?.mean,
      let old = before[quantity]?.mean,
      new > 0, old > 0
    else { return nil }
    return new > 1.28 * old ? .up : old > 1.28 * new ? .down : .steady
  }

  /// Of the last three hours.
  private func recent(_ quarters: [QuarterHour], now: WallTime) -> [Double?] {
    let end = now.microseconds / 900_000_000
    var cells = [Double?](repeating: nil, count: 12)
    for quarter in quarters {
      let place = 11 - (end - quarter.start.microseconds / 900_000_000)
      if cells.indices.contains(Int(clamping: place)) { cells[Int(place)] = quarter.sums[.stress]?.mean }
    }
    return cells
  }

  /// How today compares with the four weeks before, of which five days must have been measured for half an hour.
  private func insight(_ quarters: [QuarterHour], now: WallTime) -> Phrase? {
    var days: [Int64: MeasurementSums] = [:]
    for quarter in quarters {
      days[calendar.day(of: quarter.start), default: MeasurementSums()] += quarter.sums
    }
    let today = today(now)
    guard let mean = days[today]?[.stress]?.mean else { return nil }
    let others = days.filter { $0.key < today && $0.value.usable >= 180 }.compactMap {
      $0.value[.stress]?.mean
    }
    guard others.count >= 5, let usual = Spread(others), let deviation = usual.deviation else {
      return Phrase("\(mean.fixed(0)) on average today")
    }
    let (now, before) = (mean.fixed(0), usual.mean.fixed(0))
    if mean < usual.mean - deviation { return Phrase("calmer than usual today (\(now), usually \(before))") }
    if mean > usual.mean + deviation {
      return Phrase("more stressed than usual today (\(now), usually \(before))")
    }
    return Phrase("a usual day so far (\(now), usually \(before))")
  }

  private func today(_ now: WallTime) -> Int64 { calendar.day(of: now) }
}

extension HRVMetric {
  /// What is summed up of it.
  var quantity: MeasurementSums.Quantity {
    switch self {
    case .rmssd: .rmssd
    case .sdnn: .sdnn
    }
  }

  /// The same without paced breathing: what is compared with the range at rest.
  var unpacedQuantity: MeasurementSums.Quantity {
    switch self {
    case .rmssd: .unpacedRMSSD
    case .sdnn: .unpacedSDNN
    }
  }
}

extension WallTime {
  /// Whole seconds from `other` to this time, rounded down.
  func seconds(since other: WallTime) -> Int64 {
    let (difference, tooFar) = microseconds.subtractingReportingOverflow(other.microseconds)
    if tooFar { return microseconds < other.microseconds ? .min : .max }
    return difference / 1_000_000 - (difference % 1_000_000 < 0 ? 1 : 0)
  }

  func moved(seconds: Int64) -> WallTime { advanced(ticks: seconds * RRInterval.ticksPerSecond) }
}
