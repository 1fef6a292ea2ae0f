import Localization
import Reports

/// What the page shows, and what to do next. The notices of all states are in the page; the script shows the current one.
struct StateNotice: Sendable {
  let model: NowModel
  let context: PageContext

  var html: HTML { "<div id=\"notices\">\(NowModel.State.allCases.map(notice))</div>" }

  private func notice(_ state: NowModel.State) -> HTML {
    """
    <p class="notice" data-for="\(state.rawValue)"\(attribute: "hidden", if: state != model.state)>\
    <strong>\(title(state))</strong> <span class="notice-text">\(text(state))</span></p>
    """
  }

  private func title(_ state: NowModel.State) -> String {
    switch state {
    case .nothing: context.localized("Nothing was measured yet.")
    case .collecting: context.localized("Collecting data.")
    case .live: context.localized("Live.")
    case .stale: context.localized("Not live.")
    case .ended: context.localized("No session is running.")
    }
  }

  private func text(_ state: NowModel.State) -> HTML {
    switch state {
    case .nothing: "\(context.localized("Put on a strap and take a reading, or try the simulated strap."))"
    case .collecting:
      """
      \(collected) \(context.localized("The first stress value follows after 30 seconds of good data. Sit still."))
      """
    case .live: "\(context.localized("Updated")) <span data-age>\(age)</span>"
    case .stale:
      """
      \(reason) \(context.localized("The values below are from")) <span data-age>\(age)</span>. \
      \(context.localized("Moisten the electrodes and stay in range of this machine; the session continues by itself."))
      """
    case .ended:
      """
      \(context.localized("The values below are from")) <span data-age>\(age)</span>. \
      \(context.localized("Start a reading or a live session for new ones."))
      """
    }
  }

  private var collected: HTML {
    guard let collected = model.report?.collected else { return "<span id=\"collected\"></span>" }
    let (seconds, required) = (collected.seconds.rounded(.down).fixed(0), collected.required.fixed(0))
    return "<span id=\"collected\">\(context.localized("collecting: \(seconds) of \(required) s")).</span>"
  }

  private var reason: String {
    guard case .stale(let reason?) = model.report?.freshness else { return "" }
    return context.localized(reason) + "."
  }

  private var age: String { model.report.map { Self.age($0.age, context) } ?? "-" }

  /// An age in words; the script uses the same units.
  static func age(_ seconds: Int64, _ context: PageContext) -> String {
    let seconds = max(0, seconds)
    if seconds < 60 { return context.localized("\(seconds) s ago") }
    if seconds < 3600 { return context.localized("\(seconds / 60) min ago") }
    if seconds < 86_400 { return context.localized("\(seconds / 3600) h ago") }
    let days = seconds / 86_400
    return context.localized("\(days) day ago", "\(days) days ago", count: Int(days))
  }
}
