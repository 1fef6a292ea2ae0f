import Breathing
import HummingbirdCore
import LiveSession
import Localization

/// Breathing exercises: to follow at once, or measured with a rest before and after.
struct BreathePage: Sendable {
  let renderer: PageRenderer
  let runner: ActivityRunner

  /// The predefined patterns, in the order of the page.
  static let patterns: [BreathingPattern] = [.relaxing, .box, .coherent, .calming]

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/breathe") { request in
        try await renderer.page(request, ["pattern"]) { try page($0) }
      },
      Endpoint("POST", "/breathe/start") { try await start($0) },
      Endpoint("POST", "/breathe/stop") { try await stop($0) },
      Endpoint("POST", "/breathe/favourites") { try await changeFavourites($0) },
    ]
  }

  private func page(_ context: PageContext) throws -> Page {
    let chosen = try context.query.text("pattern").map(Self.pattern)
    let exercise = MeasuredExercise(
      status: runner.status(of: .breathe), live: runner.status(of: .live),
      snapshot: renderer.status.hub.snapshot(of: context.profile), context: context)
    var page = Page(
      .breathe, title: context.localized("Breathe"),
      content: """
        \(try exercise.html)
        \(chosen.map { Self.guide($0, context) })
        \(PatternCards(context: context, chosen: chosen).html)
        \(exercise.form(chosen ?? .relaxing))
        \(GroundingSteps.html(context))
        """)
    page.reloadSeconds = exercise.status?.isRunning ?? false ? 10 : nil
    return page
  }

  private static func guide(_ pattern: BreathingPattern, _ context: PageContext) -> HTML {
    let cycles = pattern == .relaxing ? 4 : pattern.cycles(nearest: .seconds(300))
    return BreathingGuide(pattern: pattern, cycles: cycles).html(context)
  }

  private static func pattern(_ text: String) throws -> BreathingPattern {
    do throws(PatternError) { return try BreathingPattern(text) } catch {
      throw Problem.badParameter(
        "pattern", expected: "4-7-8, box, coherent, or seconds such as 4-0-6-0")
    }
  }
}

extension BreathePage {
  private func start(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    var activity = Activity(.breathe, isSimulated: form.value("simulate") == "on")
    activity.pattern = try Self.pattern(form.value("pattern") ?? "")
    if let text = form.value("minutes"), !text.isEmpty {
      guard let minutes = Int(text), Activity.lengths(.breathe)?.contains(minutes) ?? false else {
        throw Problem.badParameter("minutes", expected: "a whole number from 1 to 60")
      }
      activity.minutes = minutes
    }
    guard runner.start(activity, interruptsLive: true) else {
      throw Problem(409, "An activity is running", "Stop it first on the page Now.")
    }
    return .redirect(to: "/breathe", query)
  }

  private func stop(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    await runner.stop()
    return .redirect(to: "/breathe", query)
  }

  /// Adds `pattern`, replaces `replace` by it, or removes `remove`.
  private func changeFavourites(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    let removed = try (form.value("remove") ?? form.value("replace")).map(Self.pattern)
    let added = try form.value("remove") == nil ? Self.pattern(form.value("pattern") ?? "") : nil
    try await renderer.change { preferences in
      let place = removed.flatMap { preferences.favourites.firstIndex(of: $0) }
      if let place { preferences.favourites.remove(at: place) }
      guard let added, preferences.addFavourite(added), let place else { return }
      preferences.favourites.insert(preferences.favourites.removeLast(), at: place)
    }
    return .redirect(to: "/breathe", query, fragment: "favourites")
  }
}
