import HeartRate
import History
import HummingbirdCore
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The page Settings: links to the groups of settings with their current values.
struct SettingsPage: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/settings") { try await page($0) }]
      + AppearancePage(renderer: renderer).endpoints + BaselinePage(renderer: renderer).endpoints
      + MeasuringPage(renderer: renderer).endpoints + ProfilesPage(renderer: renderer).endpoints
      + StrapsPage(renderer: renderer).endpoints + DoctorPage(renderer: renderer).endpoints
      + TokensPage(renderer: renderer).endpoints + DataPage(renderer: renderer).endpoints
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { context in
      Page(.settings, title: context.localized("Settings"), content: try Self.content(context))
    }
  }

  private static func content(_ context: PageContext) throws -> HTML {
    let baseline = try context.reader?.baseline(of: context.profile) ?? .populationDefault
    let straps = try context.reader?.rememberedStraps(of: context.profile) ?? []
    let strap = straps.first.map { $0.strap.name ?? $0.strap.address } ?? context.localized("no strap yet")
    let profiles = try context.reader?.profiles().count ?? 1
    let groups: [(path: String, name: String, value: String, icon: HTML)] = [
      (
        "/journal", context.localized("Journal"),
        context.localized("Moods and notes, and what goes together with stress"), Icon.pen
      ),
      (
        "/settings/baseline", context.localized("Baseline"),
        context.localized(baseline.summary(context.options.metric)), Icon.heart
      ),
      (
        "/settings/measuring", context.localized("Measuring"),
        context.localized("Window, metric and how often a value is stored"), Icon.pulse
      ),
      (
        "/settings/profiles", context.localized("Profiles"),
        context.localized("\(profiles) profile", "\(profiles) profiles", count: profiles), Icon.list
      ),
      (
        "/settings/appearance", context.localized("Appearance"),
        context.localized("Theme, accent, text size, motion and language"), Icon.gear
      ),
      ("/settings/straps", context.localized("Straps"), strap, Icon.signal),
      (
        "/settings/doctor", context.localized("Doctor"),
        context.localized("Find out why a strap is not found or not connected"), Icon.help
      ),
      (
        "/settings/tokens", context.localized("Access tokens"),
        context.localized("For OBS, Prometheus and other programs"), Icon.pen
      ),
      (
        "/settings/data", context.localized("Data"),
        context.localized("Export everything, delete everything"),
        Icon.chart
      ),
    ]
    return """
      \(PageNotice.html(context))
      <ul class="cards groups">\(groups.map { group(context, $0.path, $0.name, $0.value, $0.icon) })</ul>
      \(try about(context))
      """
  }

  static func group(
    _ context: PageContext, _ path: String, _ name: String, _ value: String, _ icon: HTML
  ) -> HTML {
    """
    <li class="card group">\(icon)<div><h2><a href="\(context.path(path))">\(name)</a></h2>\
    <p class="quiet small">\(value)</p></div></li>
    """
  }

  private static func about(_ context: PageContext) throws -> HTML {
    var facts = FactList()
    facts.add(context.localized("Version"), programVersion)
    facts.add(context.localized("Database"), "<code>\(context.options.location.path)</code>" as HTML)
    let contents = try context.reader?.contents()
    facts.add(context.localized("Size"), context.value(Double(contents?.bytes ?? 0) / 1_048_576, 1, "MiB"))
    facts.add(context.localized("Sessions"), "\(contents?.sessions ?? 0)")
    facts.add(context.localized("Measurements"), "\(contents?.measurements ?? 0)")
    return """
      <section class="card stack"><h2>\(context.localized("About"))</h2>\(facts.html)</section>
      <section class="card stack"><h2>\(context.localized("Privacy"))</h2>
      <p>\(context.localized("All data stay on this machine. There is no account and no telemetry, and these pages load nothing from other servers."))</p>
      <p>\(context.localized("The stress value compares your heart rate and HRV with your usual values at rest. Exercise, coffee, fever and joy affect it as well. This is not a medical device."))</p>
      </section>
      """
  }
}

extension PageContext {
  /// The link from a group of settings to the others.
  var backToSettings: HTML { button("/settings", localized("All settings")) }
}
