import HeartRate
import History
import Platform
import Reports

/// The content of the page History as values.
struct HistoryModel: Sendable {
  let span: HistorySpan
  let means: DayMeans
  /// The moods (1 to 10) of the days with entries.
  let moods: [Int64: [Int]]
  /// The newest day first.
  let days: [DayListing.Day]
  /// Whether the span has earlier days than these.
  let hasEarlier: Bool
  /// Whether the measurements that count are those of the simulated strap.
  let isSimulated: Bool
  let calendar = LocalCalendar.system

  /// Limit of the cards of a page.
  static let mostDays = 7
}

extension HistoryModel {
  init(_ context: PageContext, _ reader: HistoryReader) throws {
    let calendar = LocalCalendar.system
    let today = calendar.day(of: SystemClock.wall)
    let newest = try reader.sessions(
      of: context.profile, matching: HistoryFilter(), limit: 1, isCounted: false)
    span = try HistorySpan(
      context, newest: newest.first.map { calendar.day(of: $0.info.started) } ?? today, today: today)
    let first = min(span.days.lowerBound, span.calendarDays.lowerBound) - DayMeans.comparedDays
    let until = max(span.days.upperBound, span.calendarDays.upperBound)
    let quarters = try reader.quarterHours(of: context.profile, in: span.times(first..<until, calendar))
    means = DayMeans(quarters, calendar)
    isSimulated = quarters.first?.isSimulated ?? false
    let entries = try reader.journal(of: context.profile, in: span.times(span.calendarDays, calendar))
    moods = Dictionary(grouping: entries) { calendar.day(of: $0.time) }
      .mapValues { $0.compactMap(\.mood?.rating) }
    // The months of a year have no cards: a day opens in its own page.
    guard span.choice != .all else {
      (days, hasEarlier) = ([], false)
      return
    }
    let listing = try DayListing(
      reader, of: context.profile, in: span.times(span.days, calendar), limit: Self.mostDays + 1)
    days = listing.days.suffix(Self.mostDays).reversed()
    hasEarlier = listing.days.count > Self.mostDays
  }
}
