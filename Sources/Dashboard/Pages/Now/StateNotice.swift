import LiveSession
import Localization
import Reports

/// What the page shows, and what to do next. The script removes it while the layout states that the server does not answer.
struct StateNotice: Sendable {
  let model: NowModel
  let context: PageContext

  var html: HTML {
    let notice = model.notice
    return """
      <div id="notices" data-live data-key="\(notice.rawValue)" data-announce="\(title(notice))"><p class="notice"\
       data-for="\(notice.rawValue)"><strong>\(title(notice))</strong> <span class="notice-text">\(text(notice))</span></p></div>
      """
  }

  private func title(_ notice: NowModel.Notice) -> String {
    switch notice {
    case .nothing: context.localized("Nothing was measured yet.")
    case .searching: context.localized("Searching for the strap.")
    case .collecting: context.localized("Collecting data.")
    case .live: context.localized("Live.")
    case .lost: context.localized("Not live: the link to the strap is lost.")
    case .silent: context.localized("Not live: the strap sends no heartbeats.")
    case .interrupted: context.localized("Not live: the session has ended unexpectedly.")
    case .ended: context.localized("No session is running.")
    }
  }

  private func text(_ notice: NowModel.Notice) -> HTML {
    switch notice {
    case .nothing: "\(context.localized("Put on a strap and take a reading, or try the simulated strap."))"
    case .searching: "\(context.localized("Moisten its electrodes and put it on."))"
    case .collecting:
      """
      \(collected) \(context.localized("The first stress value follows after 30 seconds of good data. Sit still."))
      """
    case .live: "\(context.localized("Updated")) <span data-age>\(age)</span>"
    case .lost:
      """
      \(from) \(context.localized("Stay in range of this machine; the session continues when the strap is found."))
      """
    case .silent:
      """
      \(from) \(context.localized("Moisten the electrodes and check the contact with the skin; the session continues by itself."))
      """
    case .interrupted:
      """
      \(from) \(context.localized("Its program was stopped. The data until then are stored. Start a reading or a live session."))
      """
    case .ended: "\(from) \(context.localized("Start a reading or a live session for new ones."))"
    }
  }

  private var from: HTML {
    "\(context.localized("The values below are from")) <span data-age>\(age)</span>."
  }

  private var collected: HTML {
    guard let collected = model.report?.collected else { return "" }
    let (seconds, required) = (collected.seconds.rounded(.down).fixed(0), collected.required.fixed(0))
    return "\(context.localized("\(seconds) of \(required) s"))."
  }

  private var age: String { model.report.map { Self.age($0.age, context) } ?? "-" }

  /// An age in words.
  static func age(_ seconds: Int64, _ context: PageContext) -> String {
    let seconds = max(0, seconds)
    if seconds < 60 { return context.localized("\(seconds) s ago") }
    if seconds < 3600 { return context.localized("\(seconds / 60) min ago") }
    if seconds < 86_400 { return context.localized("\(seconds / 3600) h ago") }
    let days = seconds / 86_400
    return context.localized("\(days) day ago", "\(days) days ago", count: Int(days))
  }
}
