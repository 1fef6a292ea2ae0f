import HeartRate
import History
import HummingbirdCore
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The profiles: lists, adds, renames and deletes them, and chooses the one that the pages show.
struct ProfilesPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/profiles"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await add($0) },
      Endpoint("POST", "\(Self.path)/rename") { try await rename($0) },
      Endpoint("GET", "\(Self.path)/delete") { try await preview($0) },
      Endpoint("POST", "\(Self.path)/delete") { try await delete($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { try ProfilesView($0).page }
  }

  private func add(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let name = form.value("name") ?? ""
      if let problem = Self.problem(of: name, context) {
        return .page(try ProfilesView(context, entered: name, errors: ["name": problem]).page)
      }
      guard try HistoryWriter(context.options.location).addProfile(name) else {
        return .page(try ProfilesView(context, entered: name, errors: ["name": Self.taken(context)]).page)
      }
      return .redirect(context.path(PageNotice.path(Self.path, .added)))
    }
  }

  private func rename(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let (name, newName) = (form.value("profile") ?? "", form.value("new-name") ?? "")
      if let problem = try Self.renaming(name, newName, context) {
        return .page(try ProfilesView(context, renamed: newName, errors: ["new-name": problem]).page)
      }
      let shown = context.profile == name ? newName : context.profile
      return .redirect(
        "\(Self.path)?profile=\(shown.percentEncoded)&\(PageNotice.parameter)=\(PageNotice.changed.rawValue)")
    }
  }

  /// Renames a profile. Returns the reason of a failure.
  private static func renaming(_ name: String, _ newName: String, _ context: PageContext) throws -> String? {
    if let problem = problem(of: newName, context) { return problem }
    guard try context.reader?.profiles().contains(name) == true else {
      return context.localized("Choose one of the listed values.")
    }
    do {
      try HistoryWriter(context.options.location).renameProfile(
        name, to: newName, at: context.options.location, time: SystemClock.wall)
      return nil
    } catch let error as HistoryError where error.code == .nameTaken {
      return taken(context)
    } catch is MeasurementLock.Conflict {
      return context.localized("A session of this profile is running. Stop it first.")
    }
  }

  private static func taken(_ context: PageContext) -> String {
    context.localized("A profile of this name exists. Enter another name.")
  }

  /// Why a name is not valid, as in `stressmon profile add`.
  private static func problem(of name: String, _ context: PageContext) -> String? {
    let isPrintable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return (1...64).contains(name.count) && isPrintable
      ? nil : context.localized("Enter a name of 1 to 64 characters.")
  }

  private func preview(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, ["name"]) { context in
      try Self.preview(context, context.query.text("name") ?? "", entered: nil)
    }
  }

  private func delete(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let (name, entered) = (form.value("name") ?? "", form.value("confirmation") ?? "")
      guard entered == name, !name.isEmpty else {
        return .page(try Self.preview(context, name, entered: entered))
      }
      _ = try StoredDeletion(context.options.location).delete(.profile(name))
      return .redirect(PageNotice.path(Self.path, .deleted))
    }
  }

  /// - Parameter entered: the confirmation if it was wrong.
  private static func preview(_ context: PageContext, _ name: String, entered: String?) throws -> Page {
    guard !context.isReadOnly else {
      return Page(
        .settings, title: context.localized("Delete a profile"), content: ReadOnlyNotice(context).html)
    }
    let summary = try StoredDeletion(context.options.location).summary(.profile(name))
    let error = entered.map { _ in context.localized("Enter the name exactly as shown: \(name)") }
    let confirmation = FormField(
      "confirmation", context.localized("To confirm, type the name of the profile: \(name)"), error: error
    ).text(entered, isRequired: true)
    return Page(
      .settings, title: context.localized("Delete a profile"), status: error == nil ? 200 : 422,
      content: DeletionPreview(context: context, summary: summary).html(
        action: "\(path)/delete", fields: [("name", name)], back: path, confirmation: confirmation))
  }
}

/// The content of the page of the profiles.
struct ProfilesView: Sendable {
  private let context: PageContext
  private let profiles: [ProfileContents]
  private let entered: String?
  private let renamed: String?
  private let errors: FormErrors

  init(_ context: PageContext, entered: String? = nil, renamed: String? = nil, errors: FormErrors = [:])
    throws
  {
    self.context = context
    profiles = try context.reader?.profileContents() ?? []
    (self.entered, self.renamed, self.errors) = (entered, renamed, errors)
  }

  var page: Page {
    Page(
      .settings, title: context.localized("Profiles"), status: errors.isEmpty ? 200 : 422,
      content: """
        \(PageNotice.html(context))\(errors.summary(context))
        <p>\(context.localized("A profile is one person, with a baseline, straps, sessions and a journal."))</p>
        <ul class="cards wide">\(profiles.map { Self.card($0, context) })</ul>
        \(context.isReadOnly ? nil : forms)
        <div class="row">\(context.backToSettings)</div>
        """)
  }

  static func card(_ profile: ProfileContents, _ context: PageContext) -> HTML {
    let isShown = profile.name == context.profile
    var facts = FactList()
    facts.add(context.localized("Sessions"), "\(profile.sessions)")
    facts.add(context.localized("Measurements"), "\(profile.measurements)")
    facts.add(context.localized("Last measured"), profile.lastMeasured.map { context.time($0) } ?? "-")
    facts.add(
      context.localized("Baseline"), context.localized((profile.baseline ?? .populationDefault).provenance))
    let name = profile.name.percentEncoded
    let show =
      isShown
      ? "<span class=\"tag\">\(context.localized("shown now"))</span>" as HTML
      : "<a class=\"button\" href=\"/?profile=\(name)\">\(context.localized("Show \(profile.name)"))</a>"
    let delete =
      context.isReadOnly
      ? nil
      : "<a class=\"button danger\" href=\"/settings/profiles/delete?name=\(name)\">\(context.localized("Delete \(profile.name)"))</a>"
        as HTML
    return """
      <li class="card stack"><h2>\(profile.name)</h2>\(facts.html)<div class="row">\(show)\(delete)</div></li>
      """
  }

  private var forms: HTML {
    let names = profiles.map { ($0.name, $0.name) }
    let rename: HTML? =
      profiles.isEmpty
      ? nil
      : """
      <form method="post" action="\(context.path("/settings/profiles/rename"))" class="card stack">
      <h2>\(context.localized("Rename a profile"))</h2>
      \(FormField("profile", context.localized("Profile")).select(names, context.profile))
      \(FormField("new-name", context.localized("New name"), error: errors["new-name"]).text(renamed, longest: 64, isRequired: true))
      <div class="row"><button>\(context.localized("Rename"))</button></div></form>
      """
    return """
      <form method="post" action="\(context.path("/settings/profiles"))" class="card stack">
      <h2>\(context.localized("Add a profile"))</h2>
      \(FormField("name", context.localized("Name"), error: errors["name"]).text(entered, longest: 64, isRequired: true))
      <div class="row"><button class="primary">\(context.localized("Add"))</button></div></form>
      \(rename)
      """
  }
}
