import HeartRate
import LiveFeed
import Localization

/// The activity of the server and the forms that start and end one.
struct NowActions: Sendable {
  let status: ActivityRunner.Status?
  /// Whether a session of the profile is running, also one that was started elsewhere.
  let isLive: Bool
  let context: PageContext

  var html: HTML {
    guard !context.isReadOnly else {
      return """
        <p class="notice">\(context.localized("This server is read-only. Start a session in a terminal with: stressmon live"))</p>
        """
    }
    return """
      <section class="card stack" aria-labelledby="actions-title" id="actions">
      <h2 id="actions-title">\(context.localized("Measure"))</h2>
      \(failure)\(status?.isRunning ?? false ? running : starters)\(isLive ? marker : nil)
      </section>
      """
  }

  private var failure: HTML? {
    status?.failure.map {
      """
      <p class="error"><strong>\(context.localized("It did not work."))</strong> \($0)</p>
      """
    }
  }

  private var running: HTML {
    """
    <p id="activity" data-command="\(status?.activity.command.rawValue ?? "")">\(title)</p>
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
    return """
      <progress id="progress" max="\(seconds)" data-started="\(status.started.rfc3339)"\
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
    <button name="command" value="live">\(Icon.heart) \(context.localized("Start live session"))</button>
    <button name="command" value="morning">\(Icon.sunrise) \(context.localized("Morning reading"))</button>
    </div>
    \(FormField("minutes", context.localized("Length of a morning reading")).select(lengths, "1"))
    <label><input type="checkbox" name="simulate" value="on"\
    \(attribute: "checked", if: status?.activity.isSimulated ?? false)>\
    \(context.localized("Simulated strap, to try it without hardware"))</label>
    </form>
    """
  }
}
