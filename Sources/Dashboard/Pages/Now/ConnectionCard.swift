import HeartRate
import History
import LiveFeed
import LiveSession
import Localization

/// The strap, its battery, the link, interruptions, and whether the session is recorded.
struct ConnectionCard: Sendable {
  let model: NowModel
  let context: PageContext

  var html: HTML {
    """
    <dl class="facts" id="facts" data-live>
    \(fact(context.localized("Strap"), strap, id: "strap"))
    \(fact(context.localized("Link"), link, id: "link"))
    \(fact(context.localized("Battery"), model.feed?.battery.map { "\($0) %" } ?? "-", id: "battery"))
    \(fact(context.localized("Gaps"), model.feed.map { "\($0.gaps)" } ?? "-", id: "gaps"))
    \(fact(context.localized("Recording"), recording, id: "recording"))
    </dl>
    """
  }

  private func fact(_ name: String, _ value: String, id: String) -> HTML {
    "<div><dt>\(name)</dt><dd id=\"\(id)\">\(value)</dd></div>"
  }

  private var strap: String {
    if model.feed?.isSimulated ?? false { return context.localized("Simulated strap") }
    return model.feed?.strapName ?? model.feed?.strap ?? model.strap?.strap.name ?? model.strap?.strap.address
      ?? context.localized("none yet")
  }

  private var link: String {
    Self.word(model.feed?.state, context)
  }

  private var recording: String {
    model.feed == nil ? context.localized("No session is running") : context.localized("A session is running")
  }

  static func word(_ state: LinkChange.State?, _ context: PageContext) -> String {
    switch state {
    case nil: context.localized("not connected")
    case .searching: context.localized("searching")
    case .connecting: context.localized("connecting")
    case .connected: context.localized("connected")
    case .stale: context.localized("no data")
    case .lost: context.localized("lost")
    }
  }
}
