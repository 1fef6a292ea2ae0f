import HeartRate
import History
import Reports

/// An entry of the timeline.
enum TimelineItem: Sendable {
  case measurement(StoredMeasurement)
  case session(StoredSession)
  case note(HistoryListing.Note)

  var time: WallTime {
    switch self {
    case .measurement(let measurement): measurement.time
    case .session(let session): session.info.started
    case .note(let note): note.time
    }
  }

  /// The session whose values the entry contains.
  var session: SessionID? {
    switch self {
    case .measurement(let measurement): measurement.session
    case .session(let session): session.info.id
    case .note(.exercise(let exercise)): exercise.session
    case .note(.morning(let reading)): reading.session
    case .note(.entry): nil
    }
  }
}

/// The records of one page of the timeline, the newest first.
struct TimelinePage: Sendable {
  let items: [TimelineItem]
  /// Selects the next page, if there is one, which contains the records before this time.
  let next: WallTime?
  /// The sessions of these records whose strap is the simulated one.
  let simulated: Set<SessionID>

  /// Limit of the records of a page. A page of a year of measurements remains below 100 kB.
  static let length = 80
  /// A quarter of an hour in ticks: journal entries this close to a selected measurement belong to it.
  private static let nearby = 900 * RRInterval.ticksPerSecond

  init(_ reader: HistoryReader?, of profile: String, matching filter: HistoryFilter) throws {
    guard let reader, !filter.times.isEmpty else {
      (items, next, simulated) = ([], nil, [])
      return
    }
    let times = filter.times
    // One more record of each kind than a page contains shows whether there is another page.
    let limit = Self.length + 1
    let measurements = try reader.latestMeasurements(of: profile, matching: filter, limit: limit)
    // Earlier records are not on this page; counting the events of their sessions would take most of the time.
    let others =
      measurements.count < limit
      ? filter.containing(measurements) : filter.beginning(at: measurements[Self.length - 1].time)
    let sessions = try reader.sessions(of: profile, matching: others, limit: limit)
    let exercises = try reader.breathingExercises(of: profile, matching: others, limit: limit)
    let mornings = try reader.mornings(of: profile, matching: others, limit: limit)
    var journal = try reader.journal(of: profile, in: others.times, limit: limit)
    if filter.selectsMeasurements {
      journal.removeAll { entry in !measurements.contains { Self.isNear($0.time, entry.time) } }
    }
    var all = measurements.map(TimelineItem.measurement) + sessions.map(TimelineItem.session)
    all += exercises.map { .note(.exercise($0)) }
    all += mornings.map { .note(.morning($0)) }
    all += journal.map { .note(.entry($0)) }
    all.sort { $0.time > $1.time }
    (items, next) = Self.page(all, within: times)
    simulated = try Set(items.compactMap(\.session)).filter { try reader.info(of: $0)?.source == .simulated }
  }

  private static func isNear(_ a: WallTime, _ b: WallTime) -> Bool {
    a.advanced(ticks: -nearby) <= b && b <= a.advanced(ticks: nearby)
  }

  /// The first records and the time that selects the others. Records of the same time are on the same page.
  private static func page(_ all: [TimelineItem], within times: Range<WallTime>) -> (
    [TimelineItem], WallTime?
  ) {
    // A session that began before the range and continues into it is the last record.
    guard all.count > length, all[length].time >= times.lowerBound else { return (all, nil) }
    let first = all[length].time
    let items = Array(all.prefix { $0.time > first })
    guard !items.isEmpty else { return (all, first) }
    return (items, WallTime(microseconds: first.microseconds + 1))
  }
}

extension HistoryFilter {
  /// Selects the sessions of `measurements`, which are all that match: SQLite does not search the measurements of each session.
  fileprivate func containing(_ measurements: [StoredMeasurement]) -> HistoryFilter {
    guard !categories.isEmpty || leastConfidence != nil else { return self }
    var known = self
    (known.categories, known.leastConfidence) = ([], nil)
    known.sessions = Set(measurements.map(\.session))
    return known
  }

  fileprivate func beginning(at time: WallTime) -> HistoryFilter {
    var later = self
    later.times = max(times.lowerBound, time)..<max(times.upperBound, time)
    return later
  }
}
