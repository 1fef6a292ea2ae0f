import HRV
import HeartRate
import Localization
import Platform
import Plot
import Reports
import Stress

/// The beat intervals of the last two minutes and the stress of the last five.
struct LiveCharts: Sendable {
  let model: NowModel
  let context: PageContext

  /// Lengths of the time axes in seconds, and the size of the drawing, which is stretched to the width of the card.
  static let (beatSeconds, trendSeconds) = (120.0, 300.0)
  static let (width, height) = (600.0, 160.0)

  /// A row of the table: a value at its position in the drawing.
  private struct Row {
    let point: (x: String, y: String)
    let cells: [String]
    var verdict: Verdict?
  }

  var tachogram: HTML {
    let beats = recentBeats
    let range = Self.range(beats.map(\.interval))
    let end = beats.last?.time ?? 0
    let points = beats.map { beat in
      let point =
        "\(Self.x(beat.time, end, Self.beatSeconds)) \(Self.y(beat.interval, range))"
      return (beat.followsGap || beat.time == beats.first?.time ? "M" : "L") + point
    }
    return figure(
      id: "beats", label: context.localized("Intervals between heart beats in ms, last 2 minutes"),
      scale: (range.upperBound.fixed(0), range.lowerBound.fixed(0)), path: points.joined(),
      caption: beatCaption(beats),
      columns: [
        context.localized("Time in s"), context.localized("Interval in ms"), context.localized("Verdict"),
      ],
      rows: beats.map { beat in
        let point = (Self.x(beat.time, end, Self.beatSeconds), Self.y(beat.interval, range))
        return Row(
          point: point, cells: [context.value(beat.time, 1), beat.interval.fixed(0), verdict(beat.verdict)],
          verdict: beat.verdict)
      }, bands: nil)
  }

  var trend: HTML {
    let end = recentScores.last?.time ?? 0
    return figure(
      id: "trend", label: context.localized("Stress from 0 to 100, last 5 minutes"), scale: ("100", "0"),
      path: trendPath, caption: trendCaption(recentScores),
      columns: [context.localized("Time in s"), context.localized("Stress")],
      rows: Self.every10Seconds(recentScores).map { score in
        Row(
          point: (Self.x(score.time, end, Self.trendSeconds), Self.y(score.stress, 0...100)),
          cells: [score.time.fixed(0), score.stress.fixed(0)])
      }, bands: Self.bands)
  }

  private var recentScores: [LiveBeats.Score] {
    let end = model.beats.scores.last?.time ?? 0
    return model.beats.scores.filter { $0.time > end - Self.trendSeconds }
  }

  private var trendPath: String {
    let scores = recentScores
    let end = scores.last?.time ?? 0
    return scores.enumerated().map { index, score in
      "\(index == 0 ? "M" : "L")\(Self.x(score.time, end, Self.trendSeconds)) \(Self.y(score.stress, 0...100))"
    }.joined()
  }

  /// The stress of the last five minutes without labels, for the widget.
  func sparkline(isShown: Bool) -> HTML {
    """
    <div class="chart plot" id="chart-trend" data-live\(attribute: "hidden", if: !isShown)><svg viewBox="0 0 600 160" preserveAspectRatio="none" role="img"\
     aria-label="\(context.localized("Stress from 0 to 100, last 5 minutes"))"><path class="chart-line" d="\(trendPath)"/></svg></div>
    """
  }

  private var recentBeats: [LiveBeats.Beat] {
    let end = model.beats.beats.last?.time ?? 0
    return model.beats.beats.filter { $0.time > end - Self.beatSeconds }
  }

  private static func x(_ time: Double, _ end: Double, _ length: Double) -> String {
    (width - (end - time) / length * width).fixed(1)
  }

  private static func y(_ value: Double, _ range: ClosedRange<Double>) -> String {
    (height - (value - range.lowerBound) / (range.upperBound - range.lowerBound) * height).fixed(1)
  }

  /// Multiples of 100 ms around all intervals.
  static func range(_ intervals: [Double]) -> ClosedRange<Double> {
    guard let low = intervals.min(), let high = intervals.max() else { return 600...1200 }
    return ((low - 20) / 100).rounded(.down) * 100...((high + 20) / 100).rounded(.up) * 100
  }

  /// The first value of each 10 s.
  private static func every10Seconds(_ scores: [LiveBeats.Score]) -> [LiveBeats.Score] {
    zip([nil] + scores.map(Optional.some), scores).compactMap { previous, score in
      (score.time / 10).rounded(.down) == previous.map { ($0.time / 10).rounded(.down) } ? nil : score
    }
  }

  /// The categories as horizontal bands with their hue and pattern.
  private static var bands: HTML {
    let rows = StressCategory.allCases.enumerated().map { index, category -> HTML in
      let top = "\(120 - 40 * index)"
      return """
        <g class="\(category.rawValue)"><rect class="band" x="0" y="\(top)" width="600" height="40"/><rect class="band-pattern"\
         x="0" y="\(top)" width="600" height="40" fill="\(CategoryMarks.paint(category))"/></g>
        """
    }
    return "\(rows)"
  }

  private func beatCaption(_ beats: [LiveBeats.Beat]) -> String {
    guard let low = beats.map(\.interval).min(), let high = beats.map(\.interval).max() else {
      return context.localized("No beats yet. The chart begins with the first heart beat of a live session.")
    }
    return context.localized("\(beats.count) intervals from \(low.fixed(0)) to \(high.fixed(0)) ms.")
  }

  private func trendCaption(_ scores: [LiveBeats.Score]) -> String {
    guard let first = scores.first, let last = scores.last else {
      return context.localized("No stress values yet. The first one follows after 30 seconds of data.")
    }
    return context.localized("From \(first.stress.fixed(0)) to \(last.stress.fixed(0)).")
  }

  private func verdict(_ verdict: Verdict?) -> String {
    verdict.map { context.localized($0.name) } ?? "-"
  }

  private func figure(
    id: String, label: String, scale: (String, String), path: String, caption: String, columns: [String],
    rows: [Row], bands: HTML?
  ) -> HTML {
    let cells = rows.map { row -> HTML in
      """
      <tr data-point="\(row.point.x) \(row.point.y)">\(row.cells.map { "<td>\($0)</td>" as HTML })</tr>
      """
    }
    return """
      <figure class="chart live-chart" id="chart-\(id)" data-live>
      <div class="plot" tabindex="0" role="group" aria-label="\(label)" data-hint="\(ChartFigure.hint(context))">\
      <span class="scale small quiet number"><span class="scale-high">\(scale.0)</span><span class="scale-low">\(scale.1)</span></span>
      <svg viewBox="0 0 600 160" preserveAspectRatio="none" role="img" aria-label="\(label)">\(bands)\
      <path class="chart-line" d="\(path)"/>\(id == "beats" ? marks(rows) : nil)</svg></div>
      \(ChartFigure.reading("chart-\(id)"))
      <figcaption class="small">\(caption)</figcaption>
      \(id == "beats" ? legend(rows) : nil)
      <details><summary>\(context.localized("Show as table"))</summary><div class="table-wrap" tabindex="0" role="region"\
       aria-label="\(label)"><table><thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead>\
      <tbody>\(cells)</tbody></table></div></details>
      </figure>
      """
  }

  /// Begins the identifiers of the marks of beats.
  private static let markPrefix = "live-"

  /// A mark for each beat that is not normal. The script corrects the proportions, which depend on the width of the card.
  private func marks(_ rows: [Row]) -> HTML {
    let marks = rows.compactMap { row -> HTML? in
      guard let verdict = row.verdict, BeatMark.of(verdict) != nil else { return nil }
      return """
        <g transform="translate(\(row.point.x) \(row.point.y))"><use href="#\(Self.markPrefix)\(verdict.rawValue)"/></g>
        """
    }
    let definitions = HTML(trusted: BeatMark.definitions(prefix: Self.markPrefix))
    return "<defs>\(definitions)</defs><g class=\"marks\">\(marks)</g>"
  }

  /// The shapes with their words; only those that occur are shown.
  private func legend(_ rows: [Row]) -> HTML {
    let items = BeatMark.all.map(\.verdict).map { verdict -> HTML in
      let occurs = rows.contains { $0.verdict == verdict }
      return """
        <li data-verdict="\(verdict.rawValue)"\(attribute: "hidden", if: !occurs)><svg class="icon" viewBox="-8 -8 16 16"\
         aria-hidden="true" focusable="false"><use href="#\(Self.markPrefix)\(verdict.rawValue)"/></svg> \
        \(context.localized(verdict.name))</li>
        """
    }
    return "<ul class=\"legend small beat-legend\">\(items)</ul>"
  }
}
