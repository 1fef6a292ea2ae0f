import Breathing
import HummingbirdCore
import LiveSession
import Localization
import Platform

/// Breathing exercises: to follow at once, or measured with a rest before and after. An exercise that is followed or measured
/// fills the screen.
struct BreathePage: Sendable {
  let renderer: PageRenderer
  let runner: ActivityRunner

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/breathe") { request in
        try await renderer.page(request, ["pattern"]) { try page($0) }
      },
      Endpoint("POST", "/breathe/start") { try await start($0) },
      Endpoint("POST", "/breathe/stop") { try await stop($0) },
      Endpoint("POST", "/breathe/favourites") { try await changeFavourites($0) },
      Endpoint("POST", "/breathe/own") { try await ownPattern($0) },
    ]
  }

  private func page(_ context: PageContext) throws -> Page {
    let exercise = MeasuredExercise(
      status: runner.status(of: .breathe), live: runner.status(of: .live),
      snapshot: renderer.status.hub.snapshot(of: context.profile), boot: renderer.status.hub.now,
      context: context)
    if let page = exercise.running { return page }
    if let pattern = try context.query.text("pattern").map(Self.pattern) {
      return guide(pattern, exercise.snapshot == nil ? nil : exercise.pulse, context)
    }
    return Page(
      .breathe, title: context.localized("Breathe"),
      content: """
        \(try exercise.result)
        \(ExerciseCards(context: context).html)
        \(exercise.form)
        \(try ExerciseHistory(context).html)
        """)
  }

  private func guide(_ pattern: BreathingPattern, _ pulse: BreathingPulse?, _ context: PageContext) -> Page {
    var guide = BreathingGuide(pattern)
    guide.pulse = pulse
    var page = Page(
      .breathe, title: BreathingGuide.name(pattern, context),
      content: """
        <div class="stack"\(pulse?.attributes(context))>\(guide.html(context))</div>
        \(CloseLink.html(context))
        """)
    page.isFullScreen = true
    return page
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
    activity.language = renderer.language(request)
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

  /// Adds the exercise `add`, or removes `remove`.
  private func changeFavourites(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    let removed = form.value("remove")
    guard let exercise = Exercise(removed ?? form.value("add") ?? "") else {
      throw Problem.badParameter(
        "add", expected: "calm, grounding, 4-7-8, box, coherent, or seconds such as 4-0-6-0")
    }
    try await renderer.change { preferences in
      if removed == nil {
        preferences.addFavourite(exercise)
      } else {
        preferences.favourites.removeAll { $0 == exercise }
      }
    }
    return .redirect(to: "/breathe", query, fragment: "exercises-title")
  }

  /// Shows the guide of the pattern of the form, or adds it to the favourites.
  private func ownPattern(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    let exercise = Exercise.pattern(try OwnPattern.pattern(form))
    guard form.value("do") == "add" else { return .redirect(to: exercise.path, query) }
    try await renderer.change { $0.addFavourite(exercise) }
    return .redirect(to: "/breathe", query, fragment: "favourites")
  }
}
