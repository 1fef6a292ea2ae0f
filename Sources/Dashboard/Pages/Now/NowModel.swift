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

  /// In ns of the boot clock.
  var now: Int64 = 0
  var report: StatusReport?
  /// nil without a live session.
  var feed: LiveSnapshot?
  var beats = LiveBeats([])
  /// The position after the lines in `beats`.
  var position = EventCursor()
  /// The mean mood of each of the last seven local days, today last; nil without an entry.
  var moods: [DayMood] = []
  var strap: RememberedStrap?
  var activity: ActivityRunner.Status?
  /// The question of a session that is not answered.
  var prompt: StoredPrompt?

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

  /// The newest measurement: of the live session if there is one, else the latest stored one.
  var measurement: LiveMeasurement? { feed.map(\.measurement) ?? report?.measurement }
  /// The current heart rate in bpm, else the mean of the newest measurement.
  var heartRate: Double? { feed?.heartRate?.value ?? measurement?.meanHeartRate }
  var isHeartRateMean: Bool { feed?.heartRate == nil && measurement?.meanHeartRate != nil }

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

  /// The state of the page, and the attributes that select the hue of the category and the face of the buddy. The widget shows no
  /// face for a value that is not live.
  func attributes(isWidget: Bool = false) -> HTML {
    let shown = isWidget && state != .live ? nil : report
    return """
       data-state="\(state.rawValue)" data-session="\(feed?.session ?? "")" data-cursor="\(position.text)"\
       data-category="\(shown?.category?.rawValue ?? "unknown")" data-mood="\(shown?.mood?.rawValue ?? "none")"\
      \(attribute: "data-running", if: activity?.isRunning ?? false)
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
  /// Reads the status and the live values of the page.
  init(_ context: PageContext, _ status: StatusAPI, activity: ActivityRunner.Status?) throws {
    now = status.hub.now
    report = try status.report(context.reader, context.profile)
    self.activity = activity
    prompt = try PromptCard.open(context)
    if let snapshot = status.hub.snapshot(of: context.profile) {
      feed = snapshot.state
      (beats, position) = (LiveBeats(snapshot.lines), snapshot.position)
    } else {
      strap = try context.reader?.rememberedStraps(of: context.profile).first
    }
  }

  /// Reads the moods of the last seven days.
  mutating func addWeek(_ context: PageContext) throws {
    let (now, calendar) = (SystemClock.wall, LocalCalendar.system)
    let today = calendar.day(of: now)
    let week = calendar.start(ofDay: today - 6)..<now.moved(seconds: 1)
    let entries = try context.reader?.journal(of: context.profile, in: week) ?? []
    moods = Self.moods(entries, until: today, calendar)
  }
}
