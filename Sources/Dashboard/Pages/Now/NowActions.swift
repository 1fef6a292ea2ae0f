import HeartRate
import Localization

/// The activity of the server and the forms that start and end one.
struct NowActions: Sendable {
  let status: ActivityRunner.Status?
  let context: PageContext

  /// Length of a reading in s, for its progress.
  static let readingSeconds = 60

  var html: HTML {
    guard !context.isReadOnly else {
      return """
        <p class="notice">\(context.localized("This server is read-only. Start a session in a terminal with: stressmon live"))</p>
        """
    }
    return """
      <section class="card stack" aria-labelledby="actions-title" id="actions">
      <h2 id="actions-title">\(context.localized("Measure"))</h2>
      \(failure)\(status?.isRunning ?? false ? running : starters)
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
    guard let status, [.measure, .morning].contains(status.activity.command) else { return nil }
    return """
      <progress id="progress" max="\(Self.readingSeconds)" data-started="\(status.started.rfc3339)"\
       aria-label="\(context.localized("Progress of the reading"))"></progress>
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
    <label><input type="checkbox" name="simulate" value="on"\
    \(attribute: "checked", if: status?.activity.isSimulated ?? false)>\
    \(context.localized("Simulated strap, to try it without hardware"))</label>
    </form>
    """
  }
}
