import HeartRate
import History
import LiveFeed
import Localization

/// The components of the page Settings.
struct DesignSettings: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
    [
      Group(
        "Group of settings",
        [
          Specimen(
            "closed",
            """
            <ul class="cards groups">\(SettingsPage.group(context, "/settings/measuring", context.localized("Measuring"),
              context.localized("Window, metric and how often a value is stored"), Icon.pulse))</ul>
            """)
        ]),
      Group("Appearance", isWide: true, [Specimen("form", AppearancePage.form(context))]),
      Group("Measurement in the background", service),
      Group("Straps", straps),
      Group("Checks of the doctor", checks),
      Group("Access tokens", tokens),
      Group(
        "Profiles",
        [Specimen("shown", profile(DesignSamples.profile)), Specimen("another one", profile("anna"))]),
    ]
  }

  private var service: [Specimen] {
    let states: [(String, MeasuringPage.BackgroundService)] = [
      ("on", .known(isRunning: true, isEnabled: true)),
      ("starts at login", .known(isRunning: false, isEnabled: true)),
      ("off", .known(isRunning: false, isEnabled: false)),
      ("unavailable", .unavailable(reason: "There is no session bus.")),
    ]
    return states.map { Specimen($0, MeasuringPage.section($1, context)) }
  }

  // MARK: Straps

  private var straps: [Specimen] {
    let address = "C0:FF:EE:00:00:01"
    let used = RememberedStrap(
      StrapIdentity(address: address, name: "Polar H10"), lastUsed: DesignSamples.time(8))
    let nearby = [
      NearbyStrap(address: address, name: "Polar H10", signal: -58, isPaired: true),
      NearbyStrap(address: "C0:FF:EE:00:00:02", name: nil, signal: nil, isPaired: false),
    ]
    func view(_ known: [RememberedStrap], _ found: [NearbyStrap]?, _ failure: String? = nil) -> HTML {
      "<div class=\"stack\">\(StrapsView(context: context, known: known, found: found, failure: failure).html)</div>"
    }
    return [
      Specimen("no strap", view([], nil)), Specimen("found", view([used], nearby)),
      Specimen("none found", view([used], [])),
      Specimen("failure", view([used], nil, "The strap did not answer.")),
    ]
  }

  private var checks: [Specimen] {
    let findings = [
      DoctorFinding(check: "Bluetooth", state: "ok", evidence: "no rfkill switch", remedy: nil),
      DoctorFinding(check: "Signal", state: "warning", evidence: "the signal is weak", remedy: nil),
      DoctorFinding(
        check: "Kernel", state: "failed", evidence: "no Bluetooth", remedy: "sudo modprobe bluetooth"),
      DoctorFinding(check: "Battery", state: "unknown", evidence: "not tested", remedy: nil),
    ]
    return findings.map {
      Specimen($0.state, "<div class=\"card\"><ol class=\"rows\">\($0.html(context))</ol></div>")
    }
  }

  // MARK: Access

  private var tokens: [Specimen] {
    let scopes: [TokenScope] = [.hr, .widget, .write, .full]
    let entries = scopes.map { scope in
      TokenStore.Entry(
        name: scope == .full ? "Chrome-1" : "\(scope.rawValue)-token", scope: scope,
        digest: TokenDigest(of: "sample"),
        created: DesignSamples.time(8).rfc3339)
    }
    return [
      Specimen("list", "<ul class=\"rows card\">\(entries.map { TokensPage.item(context, $0) })</ul>"),
      Specimen(
        "new token",
        TokensPage.shown(
          context, "obs", "sample", TokensPage.widgets(context, port: 8077, "sample"))),
    ]
  }

  private func profile(_ name: String) -> HTML {
    let contents = ProfileContents(
      name: name, sessions: 42, measurements: 15_120, journalEntries: 17,
      lastMeasured: DesignSamples.time(12),
      baseline: nil, straps: [])
    var context = context
    context.profile = DesignSamples.profile
    return "<ul class=\"cards wide\">\(ProfilesView.card(contents, context))</ul>"
  }
}
