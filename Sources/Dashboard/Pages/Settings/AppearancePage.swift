import HummingbirdCore
import Localization

/// The appearance of the pages: theme, accent, text size, motion, language, and the view of the page Now.
struct AppearancePage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/appearance"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await change($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { Self.page($0) }
  }

  private func change(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      guard let chosen = Self.preferences(form, context.preferences) else {
        return .page(Self.page(context, failure: context.localized("Choose one of the listed values.")))
      }
      guard let store = context.options.preferences else {
        return .page(
          Self.page(
            context,
            failure: context.localized("The settings cannot be stored: HOME and XDG_DATA_HOME are not set.")))
      }
      do throws(PreferencesError) {
        try store.update { preferences in
          (preferences.theme, preferences.accent, preferences.textSize) = (
            chosen.theme, chosen.accent, chosen.textSize
          )
          (preferences.reducedMotion, preferences.language) = (chosen.reducedMotion, chosen.language)
          preferences.isSimple = chosen.isSimple
        }
      } catch {
        return .page(Self.page(context, failure: context.localized(error.message)))
      }
      return .redirect(context.path(PageNotice.path(Self.path, .changed)))
    }
  }

  /// The preferences of a form, if all values exist.
  private static func preferences(_ form: FormBody, _ current: PagePreferences) -> PagePreferences? {
    guard let theme = form.value("theme").flatMap(PagePreferences.Theme.init),
      let accent = form.value("accent").flatMap(PagePreferences.Accent.init),
      let size = form.value("text-size").flatMap({ Int($0) }), PagePreferences.textSizes.contains(size),
      let motion = form.value("motion").flatMap(PagePreferences.ReducedMotion.init),
      let language = form.value("language").flatMap(PagePreferences.PageLanguage.init),
      let view = form.value("view").flatMap(View.init)
    else { return nil }
    var chosen = current
    (chosen.theme, chosen.accent, chosen.textSize) = (theme, accent, size)
    (chosen.reducedMotion, chosen.language, chosen.isSimple) = (motion, language, view == .simple)
    return chosen
  }

  /// What the page Now shows.
  private enum View: String {
    case full
    case simple
  }

  private static func page(_ context: PageContext, failure: String? = nil) -> Page {
    let content: HTML = """
      \(PageNotice.html(context))\(failure.map { "<p class=\"error\" role=\"alert\">\($0)</p>" as HTML })
      \(context.isReadOnly ? ReadOnlyNotice(context).html : form(context))
      <div class="row">\(context.backToSettings)</div>
      """
    return Page(
      .settings, title: context.localized("Appearance"), status: failure == nil ? 200 : 422, content: content)
  }

  static func form(_ context: PageContext) -> HTML {
    let preferences = context.preferences
    let sizes = PagePreferences.textSizes.map { ("\($0)", "\($0) %") }
    let languages = PagePreferences.PageLanguage.allCases.map { ($0.rawValue, name($0, context)) }
    return """
      <form method="post" action="\(context.path(path))" class="card stack">
      \(FormChoices("theme", context.localized("Theme")).html(themes(context), [preferences.theme.rawValue]))
      \(FormChoices("accent", context.localized("Accent")).html(accents(context), [preferences.accent.rawValue]))
      \(FormField("text-size", context.localized("Text size")).select(sizes, "\(preferences.textSize)"))
      \(FormChoices("motion", context.localized("Motion")).html(motions(context), [preferences.reducedMotion.rawValue]))
      \(FormChoices("view", context.localized("The page Now")).html(views(context), [(context.isSimple ? View.simple : .full).rawValue]))
      \(FormField("language", context.localized("Language")).select(languages, preferences.language.rawValue))
      <div class="row"><button class="primary">\(context.localized("Save changes"))</button></div></form>
      """
  }

  private static func themes(_ context: PageContext) -> [(value: String, label: HTML)] {
    PagePreferences.Theme.allCases.map { theme in
      let text =
        switch theme {
        case .system: context.localized("as the browser prefers")
        case .light: context.localized("light")
        case .dark: context.localized("dark")
        case .highContrast: context.localized("high contrast")
        }
      return (theme.rawValue, "\(text)")
    }
  }

  private static func accents(_ context: PageContext) -> [(value: String, label: HTML)] {
    PagePreferences.Accent.allCases.map { accent in
      let text =
        switch accent {
        case .calm: context.localized("calm blue")
        case .health: context.localized("health green")
        case .gentle: context.localized("gentle purple")
        }
      return (accent.rawValue, "<span class=\"swatch \(accent.rawValue)\"></span> \(text)")
    }
  }

  private static func motions(_ context: PageContext) -> [(value: String, label: HTML)] {
    [
      (PagePreferences.ReducedMotion.system.rawValue, "\(context.localized("as the browser prefers"))"),
      (PagePreferences.ReducedMotion.on.rawValue, "\(context.localized("reduced"))"),
    ]
  }

  private static func views(_ context: PageContext) -> [(value: String, label: HTML)] {
    [
      (View.full.rawValue, "\(context.localized("the day and all values"))"),
      (View.simple.rawValue, "\(context.localized("one value, one sentence and one action"))"),
    ]
  }

  /// Languages are named in themselves, because they must be found in any language.
  private static func name(_ language: PagePreferences.PageLanguage, _ context: PageContext) -> String {
    switch language {
    case .system: context.localized("as the browser prefers")
    case .english: "English"
    case .german: "Deutsch"
    case .spanish: "Español"
    case .french: "Français"
    }
  }
}
