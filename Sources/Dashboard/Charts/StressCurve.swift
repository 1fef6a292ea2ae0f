import Localization
import Reports
import Stress

/// Stress over a day or a session: an area with the hue and the pattern of the category, below a line of the same hue.
///
/// Horizontal positions are percentages and heights fractions, so that the drawing fills any width while text, icons and patterns keep
/// their size. The script moves a cursor over the rows of the table, and opens the link of a row.
struct StressCurve: Sendable {
  /// A mean stress value and its time, as fractions of the axis.
  struct Value: Sendable {
    let start: Double
    let end: Double
    /// 0 to 100.
    let stress: Double

    var middle: Double { (start + end) / 2 }
    var category: StressCategory { StressCategory(score: stress) }
  }

  /// Something that happened, as an icon above the curve.
  struct Mark: Sendable {
    let at: Double
    let icon: HTML
  }

  /// Unique on the page.
  let id: String
  /// By time.
  let values: [Value]
  /// Times that were measured.
  var spans: [Range<Double>] = []
  var marks: [Mark] = []
  /// Labels of the axis, by their fraction.
  let ticks: [(at: Double, text: String)]
  /// A sentence that states what the curve shows.
  let caption: String
  let table: DataTable

  func html(_ context: PageContext) -> HTML {
    """
    <figure class="chart stress-curve" id="\(id)">
    \(lane)<div class="curve-plot" tabindex="0" role="group" aria-label="\(caption)" data-hint="\(ChartFigure.hint(context))">\
    \(svg)</div>
    \(axis)
    \(ChartFigure.reading(id))
    <details class="chart-data"><summary>\(context.localized("Show as a table"))</summary>\(table.html)</details>
    </figure>
    """
  }

  var svg: HTML {
    """
    <svg class="curve" role="img" aria-label="\(caption)">\(definitions)\(grid)\(areas)\(line)\(measured)</svg>
    """
  }

  /// The position of a value for the cursor, in percent.
  static func point(_ at: Double, _ stress: Double) -> String {
    "\((100 * at).fixed(2)) \((100 * y(stress)).fixed(2))"
  }

  // MARK: Area and line

  /// A point of the line as fractions of width and height.
  private typealias Point = (x: Double, y: Double)

  /// From 0 at the top to 1. Room remains for the line itself.
  private static func y(_ stress: Double) -> Double { 0.98 - 0.94 * min(max(stress, 0), 100) / 100 }

  /// Adjacent values of one category as the points of a line. Neighbours meet halfway between their values.
  private var runs: [(category: StressCategory, points: [Point])] {
    var runs: [(category: StressCategory, points: [Point])] = []
    for (place, value) in values.enumerated() {
      let before = place > 0 ? values[place - 1] : nil
      let after = place + 1 < values.count ? values[place + 1] : nil
      let (start, joins) = Self.edge(value, before, at: value.start)
      let middle = (value.middle, Self.y(value.stress))
      let end = Self.edge(value, after, at: value.end).point
      if joins, runs.last?.category == value.category {
        runs[runs.count - 1].points += [middle, end]
      } else {
        runs.append((value.category, [start, middle, end]))
      }
    }
    return runs
  }

  /// Where the value meets its neighbour, and whether they are adjacent.
  private static func edge(_ value: Value, _ neighbour: Value?, at x: Double) -> (point: Point, joins: Bool) {
    guard let neighbour, abs(neighbour.start - value.end) < 1e-6 || abs(value.start - neighbour.end) < 1e-6
    else { return ((x, y(value.stress)), false) }
    return ((x, y((value.stress + neighbour.stress) / 2)), true)
  }

  private var categories: [StressCategory] {
    StressCategory.allCases.filter { category in values.contains { $0.category == category } }
  }

  private static func path(_ points: [Point], scale: Double, decimals: Int) -> String {
    points.enumerated().map { place, point in
      "\(place == 0 ? "M" : "L")\((scale * point.x).fixed(decimals)) \((scale * point.y).fixed(decimals))"
    }.joined()
  }

  private var definitions: HTML {
    let runs = runs
    let clips = categories.map { category -> HTML in
      let areas = runs.filter { $0.category == category }.map { run in
        let (first, last) = (run.points[0].x, run.points[run.points.count - 1].x)
        return Self.path([(first, 1)] + run.points + [(last, 1)], scale: 1, decimals: 4) + "Z"
      }
      return """
        <clipPath id="\(id)-\(category.rawValue)" clipPathUnits="objectBoundingBox"><path d="\(areas.joined())"/></clipPath>
        """
    }
    return "<defs>\(clips)</defs>"
  }

  private var areas: HTML {
    let areas = categories.map { category -> HTML in
      let clip = "url(#\(id)-\(category.rawValue))"
      let pattern: HTML =
        "<rect width=\"100%\" height=\"100%\" fill=\"\(CategoryMarks.paint(category))\" clip-path=\"\(clip)\"/>"
      return """
        <g class="\(category.rawValue)"><rect class="curve-area" width="100%" height="100%" clip-path="\(clip)"/>\
        \(category == .relaxed ? nil : pattern)</g>
        """
    }
    return "\(areas)"
  }

  private var line: HTML {
    let lines = runs.map { run -> HTML in
      "<path class=\"curve-line \(run.category.rawValue)\" d=\"\(Self.path(run.points, scale: 1000, decimals: 0))\"/>"
    }
    return
      "<svg aria-hidden=\"true\" height=\"100%\" viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\">\(lines)</svg>"
  }

  // MARK: Surroundings

  private var grid: HTML {
    let lines = [25.0, 50, 75].map { stress -> HTML in
      let y = (100 * Self.y(stress)).fixed(1)
      return "<line x2=\"100%\" y1=\"\(y)%\" y2=\"\(y)%\"/>"
    }
    let hours = ticks.map {
      "<line x1=\"\((100 * $0.at).fixed(2))%\" x2=\"\((100 * $0.at).fixed(2))%\" y2=\"100%\"/>" as HTML
    }
    return "<g class=\"curve-grid\">\(lines)\(hours)</g>"
  }

  private var measured: HTML {
    let bars = spans.map { span -> HTML in
      let width = max(0.4, 100 * (span.upperBound - span.lowerBound))
      return
        "<rect x=\"\((100 * span.lowerBound).fixed(2))%\" width=\"\(width.fixed(2))%\" y=\"97%\" height=\"3%\"/>"
    }
    return "<g class=\"curve-spans\">\(bars)</g>"
  }

  /// The least distance of two icons. The list below the curve contains those that are left out.
  private static let leastDistance = 0.045

  private var lane: HTML? {
    guard !marks.isEmpty else { return nil }
    var last = -1.0
    let icons = marks.sorted { $0.at < $1.at }.compactMap { mark -> HTML? in
      guard mark.at - last >= Self.leastDistance else { return nil }
      last = mark.at
      let x = (100 * min(max(mark.at, 0.02), 0.98)).fixed(2)
      // Browsers take the size of an inner picture from its attributes.
      let icon = mark.icon.text.replacing("<svg ", with: "<svg width=\"18\" height=\"18\" ")
      return
        "<svg x=\"\(x)%\" overflow=\"visible\"><g transform=\"translate(-9 1)\">\(HTML(trusted: icon))</g></svg>"
    }
    return "<svg class=\"curve-lane\" aria-hidden=\"true\" focusable=\"false\">\(icons)</svg>"
  }

  private var axis: HTML {
    let labels = ticks.map { tick -> HTML in
      let anchor = tick.at < 0.01 ? "start" : tick.at > 0.99 ? "end" : "middle"
      return
        "<text x=\"\((100 * tick.at).fixed(2))%\" y=\"1em\" text-anchor=\"\(anchor)\">\(tick.text)</text>"
    }
    return "<svg class=\"curve-axis\" aria-hidden=\"true\" focusable=\"false\">\(labels)</svg>"
  }
}

/// The time in each category in words, and as a bar.
struct CategoryShares: Sendable {
  /// The number of values in each category.
  let counts: [(category: StressCategory, count: Double)]
  let context: PageContext
  var hasBar = true

  init(_ context: PageContext, _ count: (StressCategory) -> Int) {
    self.context = context
    counts = StressCategory.allCases.map { ($0, Double(count($0))) }
  }

  var html: HTML? {
    guard let percents = wholePercents(of: counts.map(\.count)) else { return nil }
    var left = 0.0
    let whole = counts.reduce(0) { $0 + $1.count }
    var (bars, words): ([HTML], [HTML]) = ([], [])
    for (place, (category, count)) in counts.enumerated() where count > 0 {
      let (x, width) = ((100 * left / whole).fixed(2), (100 * count / whole).fixed(2))
      left += count
      bars.append(
        """
        <g class="\(category.rawValue)"><rect class="share-hue" x="\(x)%" width="\(width)%" height="100%"/>\
        <rect x="\(x)%" width="\(width)%" height="100%" fill="\(CategoryMarks.paint(category, .dark))"/></g>
        """)
      words.append(
        "<li class=\"category \(category.rawValue)\">\(Icon.category(category)) \(context.language.word(category)) \(percents[place]) %</li>"
      )
    }
    let bar: HTML = "<svg aria-hidden=\"true\" focusable=\"false\">\(bars)</svg>"
    return """
      <div class="shares">\(hasBar ? bar : nil)\
      <ul class="legend small" aria-label="\(context.localized("Time in each category"))">\(words)</ul></div>
      """
  }
}
