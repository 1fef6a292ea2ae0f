import HeartRate
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports

/// The activity of the server and the forms that start and end one.
struct NowActions: Sendable {
  let status: ActivityRunner.Status?
  /// Whether a session of the profile is running, also one that was started elsewhere.
  let isLive: Bool
  let context: PageContext
  var now = SystemClock.wall

  var html: HTML {
    guard !context.isReadOnly else {
      return """
        <p class="notice">\(context.localized("This server is read-only: it measures nothing."))</p>
        """
    }
    return """
      <section class="card stack" aria-labelledby="actions-title" id="actions">
      <h2 id="actions-title">\(context.localized("Measure"))</h2>
      <div class="stack" id="measure-state" data-live>\(failure)\(status?.isRunning ?? false ? running : starters)</div>
      <div id="measure-mark" data-live\(attribute: "hidden", if: !offersMark)>\(offersMark ? marker : nil)</div>
      </section>
      """
  }

  /// The reason of the failure and the same activity again; nil once another session is running.
  private var failure: HTML? {
    guard !isLive, let status, let reason = status.failureText(context) else { return nil }
    let activity = status.activity
    let minutes = activity.minutes.map {
      "<input type=\"hidden\" name=\"minutes\" value=\"\($0)\">" as HTML
    }
    let simulate =
      activity.isSimulated ? "<input type=\"hidden\" name=\"simulate\" value=\"on\">" as HTML : nil
    let retry: HTML? =
      activity.command == .breathe
      ? nil
      : """
      <form method="post" action="\(context.path("/now/start"))" class="row">\(minutes)\(simulate)\
      <button name="command" value="\(activity.command.rawValue)">\(context.localized("Try again"))</button></form>
      """
    return "<p class=\"error\" role=\"alert\">\(reason)</p>\(retry)"
  }

  private var running: HTML {
    """
    <p>\(title)</p>
    \(progress)
    <form method="post" action="\(context.path("/now/stop"))"><button class="primary">\(context.localized("Stop"))</button></form>
    """
  }

  private var title: String {
    switch status?.activity.command {
    case .measure: context.localized("A reading is running. Sit still and breathe normally.")
    case .morning: context.localized("A morning reading is running. Lie still and breathe normally.")
    case .breathe: context.localized("A breathing exercise is running. Follow it on the page Breathe.")
    case .live, nil: context.localized("A live session is running.")
    }
  }

  private var progress: HTML? {
    guard let status, let seconds = status.activity.readingSeconds else { return nil }
    let elapsed = min(max(0, Int(now.seconds(since: status.started))), seconds)
    return """
      <progress max="\(seconds)" value="\(elapsed)"\
       aria-label="\(context.localized("Progress of the reading"))"></progress>
      """
  }

  private var lengths: [(value: String, text: String)] {
    (Activity.lengths(.morning) ?? 1...1).map { ("\($0)", context.localized("\($0) min")) }
  }

  private var marker: HTML {
    """
    <form method="post" action="\(context.path("/now/mark"))" class="stack marker">
    \(FormField("note", context.localized("What is happening?"), hint: context.localized("Optional. It is added to the journal.")).text(nil, longest: FeedRequest.longestNote))
    <div class="row"><button>\(Icon.pen) \(context.localized("Mark this moment"))</button></div></form>
    """
  }

  private var starters: HTML {
    """
    <form method="post" action="\(context.path("/now/start"))" class="stack">
    <div class="row">
    <button class="primary" name="command" value="measure">\(Icon.pulse) \(context.localized("Measure now"))</button>
    \(context.isSimple ? nil : otherStarters)
    </div>
    \(context.isSimple ? nil : FormField("minutes", context.localized("Length of a morning reading")).select(lengths, "1"))
    <label><input type="checkbox" name="simulate" value="on"\
    \(attribute: "checked", if: status?.activity.isSimulated ?? false)>\
    \(context.localized("Simulated strap, to try it without hardware"))</label>
    </form>
    """
  }
}

extension NowActions {
  private var offersMark: Bool { isLive && !context.isSimple }

  private var otherStarters: HTML {
    """
    <button name="command" value="live">\(Icon.heart) \(context.localized("Start live session"))</button>
    <button name="command" value="morning">\(Icon.sunrise) \(context.localized("Morning reading"))</button>
    """
  }
}

extension ActivityRunner.Status {
  /// Why the activity failed, with a link to the diagnosis if a strap was used; nil if it did not fail.
  func failureText(_ context: PageContext) -> HTML? {
    guard let failure else { return nil }
    let heading: HTML = "<strong>\(context.localized("It did not work."))</strong>"
    guard signal == nil else {
      return "\(heading) \(context.localized("It was stopped from outside. The data until then are stored."))"
    }
    let reason: HTML = "\(heading) \(failure.withoutProgramName)"
    guard !activity.isSimulated else { return reason }
    let diagnosis = context.localized("Problems? Run the doctor")
    return "\(reason) <a href=\"\(context.path("/settings/doctor"))\">\(diagnosis)</a>"
  }
}
