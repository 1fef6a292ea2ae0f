import HTTPTypes
import HeartRate
import HummingbirdCore
import LiveFeed
import Localization
import Platform
import Reports

/// The page of the current status, and the actions of its forms.
struct NowPage: Sendable {
  let renderer: PageRenderer
  let runner: ActivityRunner

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/") { try await page($0) },
      Endpoint("POST", "/now/start") { try await start($0) },
      Endpoint("POST", "/now/stop") { try await stop($0) },
      Endpoint("POST", "/now/move") { try await move($0) },
    ]
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [NowCards.arrange]) { context in
      let model = try NowModel(context, renderer.status, activity: runner.status)
      var page = Page(.now, title: context.localized("Now"), content: Self.content(model, context))
      page.heading = Self.greeting(context, hour: Self.hour)
      return page
    }
  }

  static func content(_ model: NowModel, _ context: PageContext) -> HTML {
    let actions = NowActions(status: model.activity, context: context).html
    guard model.state != .nothing else {
      return """
        <div id="live" data-state="nothing" data-profile="\(context.profile)" class="stack">
        \(StateNotice(model: model, context: context).html)
        \(FirstRun(context: context).html)\(actions)</div>
        """
    }
    return """
      <div id="live" class="stack" data-state="\(model.state.rawValue)" data-profile="\(context.profile)"\
       data-session="\(model.feed?.session ?? "")" data-cursor="\(model.position.text)"\
       data-measured="\(model.report?.time.rfc3339 ?? "")" data-beats="\(points(model))"\
       data-scores="\(scores(model))" data-words="\(ScriptWords.json(context))">
      \(StateNotice(model: model, context: context).html)
      <div class="hero">
      <section class="card" aria-label="\(context.localized("Stress"))">\
      \(StressRing(report: model.report, values: model.values, context: context).html)</section>
      <section class="card buddy-card" aria-label="\(context.localized("Buddy"))">\
      \(BuddyPicture(mood: model.report?.mood).html)\
      <p id="buddy-text">\(BuddyPicture.text(model.report?.mood, context))</p>\(insight(model, context))</section>
      \(actions)
      </div>
      <section class="values stack" aria-label="\(context.localized("Values"))">\(NowCards(model: model, context: context).html)</section>
      </div>
      """
  }

  private static func insight(_ model: NowModel, _ context: PageContext) -> HTML? {
    model.report?.insight.map { "<p class=\"quiet\">\(context.localized($0))</p>" }
  }

  /// `seconds,ms` of each beat, with `g` after a gap; the script draws them together with the lines that follow.
  private static func points(_ model: NowModel) -> String {
    model.beats.beats.map { "\($0.time.fixed(3)),\($0.interval)\($0.followsGap ? ",g" : "")" }
      .joined(separator: ";")
  }

  static func scores(_ model: NowModel) -> String {
    model.beats.scores.map { "\($0.time.fixed(3)),\($0.stress.fixed(2))" }.joined(separator: ";")
  }

  private static var hour: Int {
    Int(LocalCalendar.system.clockText(SystemClock.wall).prefix(2)) ?? 12
  }

  static func greeting(_ context: PageContext, hour: Int) -> String {
    switch hour {
    case 5..<12: context.localized("Good morning")
    case 12..<18: context.localized("Good afternoon")
    case 18..<23: context.localized("Good evening")
    default: context.localized("Good night")
    }
  }
}

extension NowPage {
  private func start(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    guard let command = form.value("command").flatMap(Activity.Command.init(rawValue:)), command != .breathe
    else { throw Problem.badParameter("command", expected: "live, measure or morning") }
    guard runner.start(Activity(command, isSimulated: form.value("simulate") == "on")) else {
      throw Problem(409, "An activity is running", "Stop it first on the page Now.")
    }
    return .redirect(to: "/", query)
  }

  /// An activity that has ended in the meantime needs no message: the page shows its result.
  private func stop(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    await runner.stop()
    return .redirect(to: "/", query)
  }

  private func move(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    guard let card = form.value("card").flatMap(PagePreferences.Card.init(rawValue:)),
      let direction = form.value("direction"), ["earlier", "later"].contains(direction)
    else { throw Problem.badParameter("card", expected: "a card of the page, and earlier or later") }
    try await renderer.change { $0.move(card, earlier: direction == "earlier") }
    return .redirect(to: "/?\(NowCards.arrange)=on", query, fragment: "card-\(card.rawValue)")
  }
}
