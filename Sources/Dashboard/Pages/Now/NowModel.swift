import HeartRate
import History
import LiveFeed
import LiveSession
import Platform
import Reports
import Stress

/// The content of the page Now as values.
struct NowModel: Sendable {
  /// What the page can show, and what can be done next.
  enum State: String, Sendable, CaseIterable {
    /// Nothing was measured yet.
    case nothing
    case collecting
    case live
    case stale
    case ended
  }

  var report: StatusReport?
  var values = CurrentValues()
  /// nil without a live session.
  var feed: LiveSnapshot?
  var beats = LiveBeats([])
  /// The position after the lines in `beats`, with which the script continues.
  var position = EventCursor()
  /// The mean mood of each of the last seven local days, today last; nil without an entry.
  var moods: [DayMood] = []
  var strap: RememberedStrap?
  var activity: ActivityRunner.Status?

  struct DayMood: Equatable, Sendable {
    /// In days since 1970-01-01.
    let day: Int64
    let mood: Mood?
  }

  /// What the page says about its values; several notices belong to the state `stale`.
  enum Notice: String, Sendable, CaseIterable {
    case nothing
    /// A session without a measurement whose strap is not connected yet.
    case searching
    case collecting
    case live
    /// The strap is not connected any more.
    case lost
    /// The strap is connected and sends nothing.
    case silent
    /// The session has not ended, and its process is gone.
    case interrupted
    case ended
  }

  private var link: LinkChange.State? { feed?.state }

  var notice: Notice {
    switch state {
    case .nothing: .nothing
    case .collecting: feed != nil && feed?.measurement == nil && link != .connected ? .searching : .collecting
    case .live: .live
    case .stale: feed == nil ? .interrupted : link == .connected ? .silent : .lost
    case .ended: .ended
    }
  }

  var state: State {
    guard let report else { return feed == nil ? .nothing : .collecting }
    // The report is that of an earlier session.
    if let feed, feed.measurement == nil, report.freshness == .ended { return .collecting }
    if report.collected != nil, report.isLive { return .collecting }
    switch report.freshness {
    case .live: return .live
    case .stale: return .stale
    case .ended: return .ended
    }
  }

  /// The attributes that select the hue of the category, and the face of the buddy. The widget shows no face for a value that
  /// is not live.
  func levels(isWidget: Bool = false) -> HTML {
    let mood = isWidget && state != .live ? nil : report?.mood
    return """
       data-category="\(report?.category?.rawValue ?? "unknown")" data-mood="\(mood?.rawValue ?? "none")"
      """
  }

  /// The mood of each day, from entries in any order.
  static func moods(_ entries: [JournalEntry], until today: Int64, _ calendar: LocalCalendar) -> [DayMood] {
    let ratings = Dictionary(grouping: entries.filter { $0.mood != nil }) { calendar.day(of: $0.time) }
      .mapValues { entries in entries.compactMap(\.mood?.rating) }
    return (today - 6...today).map { day in
      let found = ratings[day] ?? []
      let mean = found.isEmpty ? nil : Double(found.reduce(0, +)) / Double(found.count)
      return DayMood(day: day, mood: mean.flatMap { Mood(Int($0.rounded())) })
    }
  }
}

extension NowModel {
  /// Reads the history and the live values of the page.
  init(_ context: PageContext, _ status: StatusAPI, activity: ActivityRunner.Status?) throws {
    let now = SystemClock.wall
    report = try status.report(context.reader, context.profile)
    self.activity = activity
    if let snapshot = status.hub.snapshot(of: context.profile) {
      feed = snapshot.state
      values = CurrentValues(snapshot.state)
      (beats, position) = (LiveBeats(snapshot.lines), snapshot.position)
    }
    let calendar = LocalCalendar.system
    let today = calendar.day(of: now)
    guard let reader = context.reader else {
      moods = Self.moods([], until: today, calendar)
      return
    }
    if feed == nil, let present = try reader.present(of: context.profile, before: now.moved(seconds: 6)) {
      values = CurrentValues(present.measurement)
    }
    let week = calendar.start(ofDay: today - 6)..<now.moved(seconds: 1)
    moods = Self.moods(try reader.journal(of: context.profile, in: week), until: today, calendar)
    strap = try reader.rememberedStraps(of: context.profile).first
  }
}
