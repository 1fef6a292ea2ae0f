import HRV
import HeartRate
import History
import LiveSession
package import Stress

/// Derives prompts, changes of category and alarms from the updates of a session, in O(1) per update and without waiting.
package struct SessionWatch: Sendable {
  private var prompts: PromptWatch?
  private var category: CategoryFeedback?
  private var alarms: [AlarmWatch]

  package init(_ settings: NoticeSettings, prompts: PromptWatch? = nil) {
    self.prompts = prompts
    category = settings.reportsCategory ? CategoryFeedback() : nil
    alarms = settings.alarms.map(AlarmWatch.init)
  }

  /// Processes an update, and calls `send` with the notices that it causes.
  mutating func update(_ update: SessionUpdate, _ send: (SessionNotice) -> Void) {
    switch update {
    case .event(let event): interrupt(by: event)
    case .part(.notification(let notification)):
      if let heartRate = notification.plausibleHeartRate { check(Double(heartRate), send) }
    case .measurement(let measurement):
      if let change = category?.update(measurement) { send(.category(change)) }
      for index in alarms.indices where alarms[index].update(measurement) {
        send(.alarm(alarms[index].condition))
      }
      if let stored = prompts?.update(measurement) { send(.prompt(stored.id, stored.measurement)) }
    case .upcoming, .part, .sensorClass, .motion, .ecg, .notice, .processed: break
    }
  }

  /// The time of the current event.
  private var now = SessionTime.zero

  private mutating func check(_ heartRate: Double, _ send: (SessionNotice) -> Void) {
    for index in alarms.indices where alarms[index].update(heartRate: heartRate, at: now) {
      send(.alarm(alarms[index].condition))
    }
  }

  /// A link that is not connected, and the end, make the values stale.
  private mutating func interrupt(by event: SessionEvent) {
    now = event.at
    switch event.kind {
    case .link(let change) where change.state != .connected: break
    case .end: break
    case .mark(let text):
      if let mark = BreathingMark(rawValue: text) { prompts?.follow(mark) }
      return
    default: return
    }
    category?.interrupt()
    prompts?.interrupt()
    for index in alarms.indices { alarms[index].interrupt() }
  }
}

/// Passes notices to the rest of the program, such as the desktop.
struct NoticeSink: SessionSink {
  let member: SessionMember
  let announce: @Sendable (SessionNotice, SessionMember) -> Void

  func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .notice(let notice) = update { announce(notice, member) }
    return .proceed
  }
}

/// What a session reports besides its values.
package struct NoticeSettings: Equatable, Sendable {
  /// When prompts are permitted.
  package struct Prompts: Equatable, Sendable {
    /// The part of the local day without prompts, if there is one.
    package var quiet: QuietHours?

    package init(quiet: QuietHours?) { self.quiet = quiet }
  }

  /// By default, there are no prompts.
  package var prompts: Prompts?
  /// Whether changes of the category are reported.
  package var reportsCategory = false
  package var alarms: [AlarmCondition] = []

  package init() {}
}
