package import HeartRate
package import History
package import Platform
import Stress

/// The history of a profile by local day: a day with its sessions, exercises, morning readings and journal entries.
package struct DayListing {
  /// One local day with at least one item.
  package struct Day {
    /// In days since 1970-01-01.
    package let day: Int64
    /// The sums of its measurements.
    package let sums: MeasurementSums
    /// Its quarters of an hour with measurements, by time.
    package let quarters: [QuarterHour]
    /// The moods (1 to 10) of its journal entries.
    package let moods: [Int]
    /// By time.
    package let items: [Item]

    /// A day with the sums of its quarters.
    package init(day: Int64, quarters: [QuarterHour], moods: [Int], items: [Item]) {
      (self.day, self.quarters, self.moods, self.items) = (day, quarters, moods, items)
      sums = quarters.reduce(into: MeasurementSums()) { $0 += $1.sums }
    }
  }

  package enum Item {
    case session(SessionSummary)
    case note(HistoryListing.Note)

    package var time: WallTime {
      switch self {
      case .session(let summary): summary.session.info.started
      case .note(let note): note.time
      }
    }
  }

  /// A session with the means of its measurements.
  package struct SessionSummary {
    /// Without the numbers of its events and measurements.
    package let session: StoredSession
    package let means: SessionMeans

    package init(session: StoredSession, means: SessionMeans) {
      (self.session, self.means) = (session, means)
    }
  }

  /// The oldest day first.
  package let days: [Day]

  /// - Parameter limit: the number of the newest days to list, unless all are listed.
  package init(
    _ reader: HistoryReader?, of profile: String, in times: Range<WallTime>, limit: Int?,
    _ calendar: LocalCalendar = .system
  ) throws {
    guard let reader else {
      days = []
      return
    }
    let first = try limit.flatMap { try Self.start(reader, profile, times, days: $0, calendar) }
    let times = max(first ?? times.lowerBound, times.lowerBound)..<times.upperBound
    let items = try Self.items(reader, profile, times).sorted { $0.time < $1.time }
    // The first day is complete, although its first item may begin within a quarter of an hour.
    let quarters = try reader.quarterHours(
      of: profile, in: times.lowerBound.moved(seconds: -86_400)..<times.upperBound)
    let sums = Dictionary(grouping: quarters) { calendar.day(of: $0.start) }
    // A session that continues into the range is listed on its first day.
    let firstDay =
      times.lowerBound == HistoryFilter.always.lowerBound ? .min : calendar.day(of: times.lowerBound)
    days = Dictionary(grouping: items) { max(firstDay, calendar.day(of: $0.time)) }.sorted {
      $0.key < $1.key
    }.map { day, items in
      let moods = items.compactMap { item -> Int? in
        if case .note(.entry(let entry)) = item { entry.mood?.rating } else { nil }
      }
      return Day(day: day, quarters: sums[day] ?? [], moods: moods, items: items)
    }
  }

  /// The time of the first item of the first of the newest `count` days with a session or an entry.
  private static func start(
    _ reader: HistoryReader, _ profile: String, _ times: Range<WallTime>, days count: Int,
    _ calendar: LocalCalendar
  ) throws -> WallTime? {
    var filter = HistoryFilter()
    filter.times = times
    var limit = 64
    while true {
      let sessions = try reader.sessions(of: profile, matching: filter, limit: limit, isCounted: false)
        .map(\.info.started)
      let entries = try reader.journal(of: profile, in: times, limit: limit).map(\.time)
      let times = (sessions + entries).map { ($0, day: calendar.day(of: $0)) }
      guard let first = Set(times.map(\.day)).sorted().suffix(count).first else { return nil }
      // A list that the limit cuts off is complete after the day of its oldest record.
      let isComplete = [sessions, entries].allSatisfy { list in
        list.count < limit || list.min().map { calendar.day(of: $0) < first } ?? true
      }
      if isComplete { return times.filter { $0.day == first }.map(\.0).min() }
      limit *= 4
    }
  }

  /// A session of a morning reading is represented by the reading.
  private static func items(
    _ reader: HistoryReader, _ profile: String, _ times: Range<WallTime>
  ) throws -> [Item] {
    var filter = HistoryFilter()
    filter.times = times
    let mornings = try reader.mornings(of: profile, matching: filter)
    let exercises = try reader.breathingExercises(of: profile, matching: filter, limit: .max)
    let entries = try reader.journal(of: profile, in: times)
    let hidden = Set(mornings.map(\.session))
    let means = try reader.sessionMeans(of: profile, matching: filter)
    let sessions = try reader.sessions(of: profile, matching: filter, limit: .max, isCounted: false)
      .filter { !hidden.contains($0.info.id) }
      .map { SessionSummary(session: $0, means: means[$0.info.id] ?? SessionMeans()) }
    let nights = try reader.nights(of: profile, matching: filter)
    let notes =
      nights.map(HistoryListing.Note.night) + mornings.map(HistoryListing.Note.morning)
      + exercises.map(HistoryListing.Note.exercise)
      + entries.map(HistoryListing.Note.entry)
    return sessions.map(Item.session) + notes.map(Item.note)
  }
}
