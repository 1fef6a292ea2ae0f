import HeartRate
import LiveSession
import Reports
import Stress

/// The components of the page Now.
struct DesignMeasuring: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
    [
      Group("Categories", [Specimen("ranges", CategoryLegend(context: context).html), shares]),
      Group("Buddy", [buddy(nil)] + BuddyMood.allCases.map(buddy)),
      Group("Hero card", heroes),
      Group("State of the session", NowModel.Notice.allCases.map(state)),
      Group("Value cards", isWide: true, cards),
      Group("Measure", measuring),
      Group("Widget", widgets),
      Group("First run", isWide: true, [Specimen("nothing measured", firstRun)]),
    ]
  }

  private var widgets: [Specimen] {
    let options = WidgetOptions.Size.allCases.map { WidgetOptions($0) }
    let states: [(String, NowModel)] = [
      ("live", DesignSamples.running), ("lost", DesignSamples.state(.lost)),
      ("nothing measured", DesignSamples.state(.nothing)),
    ]
    let sizes = options.flatMap { options in
      states.map { name, model in
        Specimen("\(options.size.rawValue), \(name)", widget(options, model))
      }
    }
    let grounds = [WidgetOptions.Background.none, .soft].map { ground in
      Specimen("ground: \(ground.rawValue)", widget(WidgetOptions(.medium, ground), DesignSamples.live(62)))
    }
    return sizes + grounds
  }

  private func widget(_ options: WidgetOptions, _ model: NowModel) -> HTML {
    let widget = Widget(options: options, model: model, context: context)
    return "<div\(widget.attributes)>\(widget.content)</div>"
  }

  private var firstRun: HTML {
    "<div\(NowModel().attributes())>\(FirstRun(context: context).html)</div>"
  }

  private var shares: Specimen {
    Specimen(
      "time in each",
      "\(CategoryShares(context) { [.relaxed: 52, .mild: 28, .moderate: 14, .high: 6][$0] ?? 0 }.html)")
  }

  private func buddy(_ mood: BuddyMood?) -> Specimen {
    Specimen(
      mood?.rawValue ?? "no value",
      """
      <div class="waiting" data-mood="\(mood?.rawValue ?? "none")" data-category="unknown">\(BuddyPicture.html)</div>\
      <p>\(BuddyPicture.text(mood, context))</p>
      """)
  }

  // MARK: Hero card

  private var heroes: [Specimen] {
    let live = [5.0, 18, 38, 62, 88].map { stress in
      let (category, mood) = (StressCategory(score: stress).rawValue, BuddyMood(score: stress).rawValue)
      return Specimen("live, \(category), \(mood)", hero(DesignSamples.live(stress)))
    }
    var moving = DesignSamples.live(38)
    moving.report = DesignSamples.report(38, .live) { $0[.exertion] = 0.2 }
    let notLive: [NowModel.Notice] = [.searching, .collecting, .lost, .ended]
    return live + [
      Specimen("live, simulated", hero(DesignSamples.live(31, isSimulated: true))),
      Specimen("live, exertion", hero(moving)),
    ] + notLive.map { Specimen("\($0.rawValue)", hero(DesignSamples.state($0))) }
  }

  private func hero(_ model: NowModel) -> HTML {
    "<div\(model.attributes())>\(NowValues(model: model, context: context).hero(next: nil))</div>"
  }

  private func state(_ notice: NowModel.Notice) -> Specimen {
    Specimen(notice.rawValue, NowValues(model: DesignSamples.state(notice), context: context).notice)
  }

  // MARK: Cards

  private var cards: [Specimen] {
    let (running, ended) = (DesignSamples.running, DesignSamples.state(.ended))
    return [
      Specimen("live session", section(running)),
      Specimen("a value without a session", NowValues(model: ended, context: context).metric(.rmssd)),
      Specimen(
        "no value", NowValues(model: DesignSamples.state(.nothing), context: context).metric(.heartRate)),
      Specimen("strap without a session", NowValues(model: ended, context: context).connection),
    ]
  }

  private func section(_ model: NowModel) -> HTML {
    """
    <div class="values stack"\(model.attributes())>\(NowCards(model: model, context: context).html)</div>
    """
  }

  private var measuring: [Specimen] {
    func actions(_ activity: Activity?, isLive: Bool = false, failure: String? = nil) -> HTML {
      let status = activity.map { activity in
        ActivityRunner.Status(
          activity: activity, started: DesignSamples.time(12), isRunning: failure == nil, failure: failure)
      }
      let now = DesignSamples.time(12).moved(seconds: 20)
      return NowActions(status: status, isLive: isLive, context: context, now: now).html
    }
    let low = DesignSamples.feed(.connected, battery: 12)
    var model = DesignSamples.live(62)
    (model.feed, model.prompt) = (low, DesignSamples.prompt)
    let values = NowValues(model: model, context: context)
    return [
      Specimen("nothing runs", actions(nil)),
      Specimen("a reading runs", actions(Activity(.measure))),
      Specimen("a live session runs", actions(Activity(.live), isLive: true)),
      Specimen("a reading failed", actions(Activity(.measure), failure: "The strap was not found.")),
      Specimen("question", values.prompt), Specimen("low battery", values.battery),
    ]
  }
}
