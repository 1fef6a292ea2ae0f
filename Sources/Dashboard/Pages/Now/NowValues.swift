import HeartRate
import LiveSession
import Localization
import Reports
import Stress

/// The parts of the page Now that follow the session. The page contains them, and its script replaces them each second by those of
/// ``document``. All texts and ages are therefore those of the server.
struct NowValues: Sendable {
  let model: NowModel
  let context: PageContext

  /// The parts without the page around them. The script announces a part with a new `data-key`; that of the state is the last one.
  var document: HTML {
    """
    <!doctype html>
    <html lang="\(context.language.name)"><title>stressmon</title><body><main id="live"\(model.attributes())>
    \(ring)\(LiveTrend.Metric.allCases.map(metric))\(charts)\(connection)\(actions)\(offer)\(simulated)\(battery)\(prompt)\(notice)
    </main></body></html>

    """
  }

  /// Only during a session; otherwise the cards of the charts are not shown.
  private var charts: HTML? {
    guard model.feed != nil else { return nil }
    let charts = LiveCharts(model: model, context: context)
    return "\(charts.tachogram)\(charts.trend)"
  }

  var notice: HTML { StateNotice(model: model, context: context).html }
  var prompt: HTML { PromptCard(prompt: model.prompt, context: context).html }
  var ring: HTML { StressRing(report: model.report, context: context).html }
  /// The value with the buddy in its ring, and what it leads to.
  func hero(next: HTML?) -> HTML {
    """
    <section class="card hero-card" aria-label="\(context.localized("Stress"))">\(ring)\(simulated)\(offer)\(next)</section>
    """
  }

  var connection: HTML { ConnectionCard(model: model, context: context).html }
  var actions: HTML {
    NowActions(status: model.activity, isLive: model.feed != nil, context: context).html
  }

  var battery: HTML {
    let low = model.feed?.battery.flatMap { $0 <= BatteryLevel.low ? $0 : nil }
    let text = low.map { context.localized("The strap's battery is low: \($0) percent.") }
    return """
      <p class="notice" id="battery-low" data-live data-key="\(low == nil ? "" : model.feed?.session ?? "")"\(attribute: "data-announce", text)\
      \(attribute: "hidden", if: low == nil)>\(text ?? "")</p>
      """
  }

  /// Exercises, while the live value is moderate or high.
  var offer: HTML {
    let isRaised = model.state == .live && (model.report?.stress ?? 0) >= Self.raised
    let content: HTML? =
      isRaised
      ? """
      <p>\(context.localized("Breathing slowly for a few minutes can calm you."))</p><div class="row">\(ExerciseCards.offer(context))</div>
      """ : nil
    return "<div class=\"stack\" id=\"offer\" data-live\(attribute: "hidden", if: !isRaised)>\(content)</div>"
  }

  /// The lowest value of the category moderate.
  private static let raised = 50.0

  var simulated: HTML {
    let isSimulated = model.report?.isSimulated ?? model.feed?.isSimulated ?? false
    return """
      <p class="quiet" id="simulated" data-live\(attribute: "hidden", if: !isSimulated)>\
      \(context.localized("Simulated strap: these values were not measured."))</p>
      """
  }
}

// MARK: Metrics

extension NowValues {
  /// A value with its unit, direction, age and note.
  func metric(_ metric: LiveTrend.Metric) -> HTML {
    let (key, value) = (metric.rawValue, value(metric))
    let age = value == nil ? nil : "<span>\(StateNotice.age(age(metric), context))</span>" as HTML
    return """
      <div id="metric-\(key)" data-live><p class="metric\(value == nil ? " missing" : "")"><span class="metric-value number" data-value="\(key)">\
      \(context.value(value, metric.decimals))</span> <span class="quiet">\(unit(metric))</span></p>
      <p class="small quiet metric-state">\(trend(metric))\(age)</p>\(sparkline(metric))
      <p class="small quiet">\(note(metric) ?? "\u{A0}")</p></div>
      """
  }

  /// The last five minutes without labels; the arrow beside the value states the direction.
  private func sparkline(_ metric: LiveTrend.Metric) -> HTML? {
    model.beats.trends[metric]?.path.map { path in
      """
      <svg class="sparkline" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path d="M\(path)"/></svg>
      """
    }
  }

  private func value(_ metric: LiveTrend.Metric) -> Double? {
    switch metric {
    case .heartRate: model.heartRate
    case .rmssd: model.measurement?.rmssd
    case .sdnn: model.measurement?.sdnn
    case .respiration: model.feed?.respiration
    case .artefacts: model.measurement?.artefacts
    }
  }

  private func unit(_ metric: LiveTrend.Metric) -> String {
    switch metric {
    case .heartRate: context.localized("bpm")
    case .rmssd, .sdnn: "ms"
    case .respiration: context.localized("breaths/min")
    case .artefacts: "%"
    }
  }

  private func note(_ metric: LiveTrend.Metric) -> String? {
    switch metric {
    case .heartRate where model.isHeartRateMean: context.localized("average")
    case .rmssd where model.report?.morningRMSSD == nil: model.report?.normalPhrase.map(context.localized)
    case .respiration where model.feed?.respiration == nil:
      context.localized("Needs a strap with acceleration")
    case .artefacts: context.localized("of the beats in the last minute were not usable")
    case .heartRate, .rmssd, .sdnn, .respiration: nil
    }
  }

  private func age(_ metric: LiveTrend.Metric) -> Int64 {
    let seconds =
      switch metric {
      case .heartRate: model.feed?.heartRateAge(at: model.now)
      case .respiration: model.feed?.respirationAge(at: model.now)
      case .rmssd, .sdnn, .artefacts: nil as Int64?
      }
    return seconds ?? model.report?.age ?? 0
  }

  /// The direction as an arrow with its word; nil if it is unknown.
  private func trend(_ metric: LiveTrend.Metric) -> HTML? {
    (model.beats.trends[metric]?.direction(metric) ?? reported(metric)).map { Self.arrow($0, context) }
  }

  static func arrow(_ trend: StatusReport.Trend, _ context: PageContext) -> HTML {
    let (arrow, word) =
      switch trend {
      case .up: ("↗", context.localized("rising"))
      case .steady: ("→", context.localized("steady"))
      case .down: ("↘", context.localized("falling"))
      }
    return "<span class=\"tag\"><span aria-hidden=\"true\">\(arrow)</span> \(word)</span>"
  }

  /// The direction from the history, for the HRV metric of a session whose lines the server has not received.
  private func reported(_ metric: LiveTrend.Metric) -> StatusReport.Trend? {
    guard let report = model.report, metric == (report.metric == .rmssd ? .rmssd : .sdnn) else { return nil }
    return report.trend
  }
}
