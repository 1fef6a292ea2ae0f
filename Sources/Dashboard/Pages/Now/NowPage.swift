import HRV
import HTTPTypes
import HeartRate
import HummingbirdCore
import JSONLines
import LiveFeed
import LiveSession
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
      Endpoint("GET", "/now/values") { try await values($0) },
      Endpoint("POST", "/now/start") { try await start($0) },
      Endpoint("POST", "/now/stop") { try await stop($0) },
      Endpoint("POST", "/now/mark") { try await mark($0) },
      Endpoint("POST", "/now/cards") { try await changeCard($0) },
      Endpoint("POST", "/now/prompt") { try await PromptCard.answer($0, renderer) },
    ]
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [NowCards.arrange, PageNotice.parameter]) { context in
      var model = try NowModel(context, renderer.status, activity: runner.status)
      try model.addWeek(context)
      let day = try context.reader.map { try NowDay($0, context, model) }
      var page = Page(.now, title: context.localized("Now"), content: Self.content(model, day, context))
      page.heading = Self.greeting(context, hour: Self.hour)
      return page
    }
  }

  private func values(_ request: PermittedRequest) async throws -> Response {
    try await renderer.document(request, []) { context in
      let model = try NowModel(context, renderer.status, activity: runner.status)
      return NowValues(model: model, context: context).document
    }
  }

  static func content(_ model: NowModel, _ day: NowDay?, _ context: PageContext) -> HTML {
    let values = NowValues(model: model, context: context)
    let root: HTML = """
      <div id="live" class="stack"\(model.attributes()) data-profile="\(context.profile)"\
       data-values="\(context.path("/now/values"))"
      """
    guard model.state != .nothing else {
      return "\(root)>\(values.notice)\(FirstRun(context: context).html)\(values.actions)</div>"
    }
    return """
      \(root) data-notices="\(notices(context))">
      \(values.notice)\(PageNotice.html(context))\(values.prompt)\(values.battery)
      <div class="hero">
      \(values.hero(next: context.isSimple ? nil : day.map { $0.next(context) }))
      \(values.actions)
      </div>
      \(context.isSimple ? nil : details(model, day, context))
      </div>
      """
  }

  /// The day and the values.
  private static func details(_ model: NowModel, _ day: NowDay?, _ context: PageContext) -> HTML {
    """
    \(day.map { $0.html(context) })\(day.flatMap { $0.lastNight(context) })
    <section class="values stack" aria-label="\(context.localized("Values"))">\(NowCards(model: model, context: context).html)</section>
    """
  }

  /// The notices that the browser shows outside of the page, by their names in the lines of a session, as a JSON object.
  private static func notices(_ context: PageContext) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("prompt", context.localized("Stressed? By what?"))
      line.put("category", context.localized("Your stress category has changed."))
      line.put("alarm", context.localized("The condition of an alarm is fulfilled."))
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }

  private static var hour: Int {
    Int(LocalCalendar.system.clockText(SystemClock.wall).prefix(2)) ?? 12
  }

  static func greeting(_ context: PageContext, hour: Int) -> String {
    switch hour {
    case ..<12: context.localized("Good morning")
    case ..<18: context.localized("Good afternoon")
    default: context.localized("Good evening")
    }
  }
}

extension NowPage {
  private func start(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    guard let command = form.value("command").flatMap(Activity.Command.init(rawValue:)), command != .breathe
    else { throw Problem.badParameter("command", expected: "live, measure or morning") }
    var activity = Activity(command, isSimulated: form.value("simulate") == "on")
    activity.language = renderer.language(request)
    if let text = form.value("minutes"), command == .morning {
      guard let minutes = Int(text), Activity.lengths(.morning)?.contains(minutes) ?? false else {
        throw Problem.badParameter("minutes", expected: "a whole number from 1 to 5")
      }
      activity.minutes = minutes
    }
    guard runner.start(activity) else {
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

  private func mark(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let note = FeedRequest.normalized(try await FormBody(request).value("note") ?? "")
    guard !FeedRequest.isTooLong(note: note) else {
      throw Problem.badParameter("note", expected: "at most \(FeedRequest.longestNote) characters")
    }
    let status = renderer.status
    try await status.history.writers.run {
      let history = status.history
      try status.hub.mark(history.profile(query, history.reader()), note: note)
    }
    return .redirect(to: PageNotice.path("/", .marked), query)
  }

  private func changeCard(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let form = try await FormBody(request)
    guard let card = form.value("card").flatMap(PagePreferences.Card.init(rawValue:)),
      let change = form.value("change").flatMap(CardChange.init(rawValue:))
    else {
      throw Problem.badParameter("card", expected: "a card of the page, and earlier, later, hide or show")
    }
    try await renderer.change { change.apply(to: card, of: &$0) }
    return .redirect(to: "/?\(NowCards.arrange)=on", query, fragment: "card-\(card.rawValue)")
  }
}

/// What the buttons of a card do.
private enum CardChange: String {
  case earlier
  case later
  case hide
  case show

  func apply(to card: PagePreferences.Card, of preferences: inout PagePreferences) {
    switch self {
    case .earlier, .later: preferences.move(card, earlier: self == .earlier)
    case .hide: preferences.hidden.insert(card)
    case .show: preferences.hidden.remove(card)
    }
  }
}
