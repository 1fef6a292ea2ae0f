import HummingbirdCore
import JSONLines
import LiveFeed
import Localization

/// The settings of measurements in config.toml, which `stressmon config` reads, checks and writes.
struct MeasuringPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/measuring"
  private static let servicePath = "/settings/measuring/service"

  private func command(_ context: PageContext) -> ChildCommand {
    ChildCommand(context.options.program, .settings, in: context.language)
  }

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await change($0) },
      Endpoint("POST", Self.servicePath) { try await switchService($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncPage(request, [PageNotice.parameter]) { context in
      guard let settings = try await settings(context) else { return Self.failed(context) }
      return Self.page(context, settings, FormErrors(), service: try await service("status", context))
    }
  }

  private func change(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncForm(request) { context, form in
      guard let settings = try await settings(context) else { return .page(Self.failed(context)) }
      var (entered, errors) = (settings, FormErrors())
      for key in Setting.allCases {
        guard let value = form.value(key.rawValue), !value.isEmpty,
          value != settings[key.rawValue] ?? key.standard
        else {
          continue
        }
        entered[key.rawValue] = value
        if let reason = try await set(key, value, context) { errors.add(reason, for: key.rawValue) }
      }
      guard errors.isEmpty else { return .page(Self.page(context, entered, errors)) }
      return .redirect(context.path(PageNotice.path(Self.path, .changed)))
    }
  }

  private func switchService(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncForm(request) { context, form in
      guard let value = form.value("service-unit"), ["on", "off"].contains(value) else {
        throw Problem.badParameter("service-unit", expected: "on or off")
      }
      let result = try await service(value, context)
      if case .known = result { return .redirect(context.path(PageNotice.path(Self.path, .changed))) }
      guard let settings = try await settings(context) else { return .page(Self.failed(context)) }
      return .page(Self.page(context, settings, FormErrors(), service: result))
    }
  }

  /// The measurement in the background, which systemd runs.
  enum BackgroundService {
    case known(isRunning: Bool, isEnabled: Bool)
    /// Why it cannot be read or changed, and what to do.
    case unavailable(reason: String)
  }

  /// - Parameter verb: `status`, `on` or `off`.
  private func service(_ verb: String, _ context: PageContext) async throws -> BackgroundService {
    guard let outcome = try await command(context).run(["service", verb, "--json"]) else {
      return .unavailable(reason: "stressmon service \(verb)")
    }
    guard outcome.succeeded,
      let object = try? JSONObject(Array(outcome.output.prefix { $0 != UInt8(ascii: "\n") })),
      let isRunning = object["running"].flatMap(object.boolean),
      let isEnabled = object["enabled"].flatMap(object.boolean)
    else {
      return .unavailable(reason: outcome.reason)
    }
    return .known(isRunning: isRunning, isEnabled: isEnabled)
  }

  /// The values of the settings, if the settings can be read. Settings without a value are missing.
  private func settings(_ context: PageContext) async throws -> [String: String]? {
    guard let outcome = try await command(context).run(["config", "show", "--json"]), outcome.succeeded,
      let object = try? JSONObject(Array(outcome.output.prefix { $0 != UInt8(ascii: "\n") }))
    else { return nil }
    return Dictionary(
      uniqueKeysWithValues: Setting.allCases.compactMap { key in
        object.text(key.rawValue).map { (key.rawValue, $0) }
      })
  }

  /// Changes a setting. Returns the reason of a failure.
  private func set(_ key: Setting, _ value: String, _ context: PageContext) async throws -> String? {
    guard let outcome = try await command(context).run(["config", "set", "--", key.rawValue, value]) else {
      return "stressmon config set \(key.rawValue)"
    }
    return outcome.succeeded ? nil : outcome.reason
  }

  private static func failed(_ context: PageContext) -> Page {
    let content = EmptyState(
      context.localized("The settings cannot be read"),
      advice: context.localized("Show the reason in a terminal with: \("stressmon config show")"),
      action: context.backToSettings
    ).html
    return Page(.settings, title: context.localized("Measuring"), status: 503, content: content)
  }

  private static func page(
    _ context: PageContext, _ settings: [String: String], _ errors: FormErrors,
    service: BackgroundService? = nil
  ) -> Page {
    let fields = Setting.allCases.map { $0.field(settings[$0.rawValue], errors[$0.rawValue], context) }
    let body: HTML =
      context.isReadOnly
      ? ReadOnlyNotice(context).html
      : """
      <form method="post" action="\(context.path(path))" class="card stack">\(fields)
      <div class="row"><button class="primary">\(context.localized("Save changes"))</button></div></form>
      <p class="quiet">\(context.localized("Changes apply to the next session. A running session keeps its settings."))</p>
      <p><button type="button" id="permit" hidden>\(context.localized("Let this browser show notifications"))</button></p>
      """
    return Page(
      .settings, title: context.localized("Measuring"), status: errors.isEmpty ? 200 : 422,
      content: """
        \(PageNotice.html(context))\(errors.summary(context))\(service.map { section($0, context) })\(body)<div class="row">\(context.backToSettings)</div>
        """)
  }
}

extension MeasuringPage {
  static func section(_ service: BackgroundService, _ context: PageContext) -> HTML {
    """
    <section class="card stack" aria-labelledby="background"><h2 id="background">\(context.localized("Measure all day"))</h2>
    \(content(service, context))</section>
    """
  }

  private static func content(_ service: BackgroundService, _ context: PageContext) -> HTML {
    switch service {
    case .unavailable(let reason):
      return """
        <p>\(context.localized("Measuring in the background cannot be switched here."))</p><p class="quiet">\(reason)</p>
        """
    case .known(let isRunning, let isEnabled):
      let isOn = isRunning || isEnabled
      let state =
        !isOn
        ? context.localized("Measuring in the background is off.")
        : isRunning
          ? context.localized("Measuring in the background is on.")
          : context.localized("Measuring in the background starts when you log in, but is not running now.")
      return """
        <p>\(state)</p>\(context.isReadOnly ? nil : button(isOn: isOn, context))
        """
    }
  }

  private static func button(isOn: Bool, _ context: PageContext) -> HTML {
    """
    <form method="post" action="\(context.path(servicePath))"><button name="service-unit" value="\(isOn ? "off" : "on")"\
    \(attribute: "class", isOn ? nil : "primary")>\(isOn ? context.localized("Switch off") : context.localized("Switch on"))</button></form>
    """
  }
}

/// A setting that the page changes. The raw value is its name in config.toml.
private enum Setting: String, CaseIterable, Sendable {
  case window
  case hrv
  case storeEvery = "store-every"
  case service
  case prompts
  case quietHours = "prompt-quiet-hours"
  case sound
  case alarm

  /// The value that applies without the setting.
  var standard: String {
    switch self {
    case .window: "60s"
    case .hrv: "rmssd"
    case .storeEvery: "10s"
    case .service: "live"
    case .prompts, .sound, .alarm: "off"
    case .quietHours: "22:00-07:00"
    }
  }

  /// The values to choose from, with `value` if it is another one; nil for text.
  private func choices(_ value: String, _ context: PageContext) -> [(value: String, text: String)]? {
    let off = ("off", context.localized("off"))
    let offered: [(value: String, text: String)]? =
      switch self {
      case .window:
        [
          ("30s", Phrase("\(30) s")), ("60s", Phrase("\(1) min")), ("2m", Phrase("\(2) min")),
          ("5m", Phrase("\(5) min")),
        ].map { ($0, context.localized($1)) }
      case .hrv: [("rmssd", "RMSSD"), ("sdnn", "SDNN")]
      case .storeEvery:
        [
          ("5s", Phrase("\(5) s")), ("10s", Phrase("\(10) s")), ("30s", Phrase("\(30) s")),
          ("1m", Phrase("\(1) min")),
        ].map { ($0, context.localized($1)) }
      case .service:
        [("live", context.localized("continuously"))]
          + [("15m", Phrase("\(15) min")), ("30m", Phrase("\(30) min")), ("1h", Phrase("\(60) min"))].map {
            ($0, context.localized("a reading every \($1)"))
          }
      case .prompts: [off, ("on", context.localized("on"))]
      case .quietHours: [off, ("22:00-07:00", "22:00-07:00"), ("20:00-08:00", "20:00-08:00")]
      case .sound:
        [
          off, ("bell", context.localized("Bell of the terminal")),
          ("desktop", context.localized("Notification")),
        ]
      case .alarm: nil
      }
    return offered.map { $0 + ($0.contains { $0.value == value } ? [] : [(value, value)]) }
  }

  func field(_ value: String?, _ error: String?, _ context: PageContext) -> HTML {
    let value = value ?? standard
    let field = FormField(rawValue, label(context), hint: hint(context), error: error)
    return choices(value, context).map { field.select($0, value) } ?? field.text(value)
  }

  private func label(_ context: PageContext) -> String {
    switch self {
    case .window: context.localized("Length of the window")
    case .hrv: context.localized("HRV metric")
    case .storeEvery: context.localized("Store a measurement every")
    case .service: context.localized("Background service")
    case .prompts: context.localized("Questions")
    case .quietHours: context.localized("Hours without questions")
    case .sound: context.localized("Signal of a new category")
    case .alarm: context.localized("Alarms")
    }
  }

  private func hint(_ context: PageContext) -> String {
    switch self {
    case .window: context.localized("A longer window is steadier and reacts later.")
    case .hrv: context.localized("The metric that stress is computed from.")
    case .storeEvery: context.localized("A shorter time needs more space.")
    case .service: context.localized("What the service measures while it is enabled.")
    case .prompts:
      context.localized(
        "Live sessions ask whether you are stressed when your HRV stays below your usual range at rest, at most twice a day."
      )
    case .quietHours: context.localized("Nothing is asked within these hours.")
    case .sound: context.localized("The bell of the terminal, or a notification of the desktop.")
    case .alarm:
      context.localized(
        "Conditions on hr, stress or rmssd, separated by semicolons: hr > 170 for 30s; rmssd < 15 for 1m. Or off."
      )
    }
  }
}
