import HeartRate
import History
import Localization
import Platform
import Reports

/// The measured exercises of the profile: a chart of HRV before and after each, and the newest as a list.
struct ExerciseHistory: Sendable {
  let context: PageContext
  /// The newest first.
  let exercises: [StoredBreathing]
  private let calendar = LocalCalendar.system

  private static let (mostOfChart, mostOfList) = (30, 5)

  init(_ context: PageContext) throws {
    self.context = context
    exercises = try context.reader?.breathingExercises(of: context.profile, limit: Self.mostOfChart) ?? []
  }

  var html: HTML? {
    guard !exercises.isEmpty else { return nil }
    return """
      <section class="card stack" aria-labelledby="earlier-title">
      <h2 id="earlier-title">\(context.localized("Earlier exercises"))</h2>
      \(chart)
      <ol class="items">\(exercises.prefix(Self.mostOfList).map(item))</ol>
      </section>
      """
  }

  private func item(_ exercise: StoredBreathing) -> HTML {
    let name = Exercise(exercise.pattern).map { $0.name(context) } ?? exercise.pattern
    return """
      <li><a href="\(context.path("/history/sessions/\(exercise.session.text)"))">\(Icon.wind) \
      <time datetime="\(exercise.time.rfc3339)">\(day(exercise))</time> \(name)</a>\
      <span>\(change(exercise))</span>\(exercise.isSimulated ? context.simulatedTag : nil)</li>
      """
  }

  private func day(_ exercise: StoredBreathing) -> String {
    context.language.date("\(calendar.dayText(exercise.time)) \(calendar.clockText(exercise.time).prefix(5))")
  }

  /// `HRV 42 to 57 ms: clearly higher`
  private func change(_ exercise: StoredBreathing) -> String {
    guard let before = exercise.before.rmssd, let after = exercise.after.rmssd else {
      return context.localized("not measured completely")
    }
    let (from, to) = (before.fixed(0), after.fixed(0))
    return switch (exercise.changed, after > before) {
    case (.yes, true): context.localized("HRV \(from) to \(to) ms: clearly higher")
    case (.yes, false): context.localized("HRV \(from) to \(to) ms: clearly lower")
    case (.no, _): context.localized("HRV \(from) to \(to) ms: no clear change")
    case (.cannotTell, _): context.localized("HRV \(from) to \(to) ms: too few data to compare them")
    }
  }

  // MARK: Chart

  /// An exercise with both rests.
  private typealias Pair = (exercise: StoredBreathing, before: Double, after: Double)

  /// The oldest first.
  private var pairs: [Pair] {
    exercises.reversed().compactMap { exercise in
      guard let before = exercise.before.rmssd, let after = exercise.after.rmssd else { return nil }
      return (exercise, before, after)
    }
  }

  private var chart: HTML? {
    let pairs = pairs
    guard pairs.count > 1 else { return nil }
    let values = pairs.flatMap { [$0.before, $0.after] }
    let (least, most) = (values.reduce(.infinity, min), values.reduce(0, max))
    let (low, high) = ((least / 10).rounded(.down) * 10, (most / 10).rounded(.up) * 10)
    let scale = Scale(low: low, high: max(high, low + 10), count: pairs.count)
    let clear = pairs.count { $0.exercise.changed == .yes && $0.after > $0.before }
    let higher = pairs.count { $0.after > $0.before }
    let caption = context.localized(
      "HRV was higher after than before in \(higher) of \(pairs.count) exercises, clearly so in \(clear).")
    return """
      <figure class="chart" id="exercises"><div class="curve-plot" tabindex="0" role="group" aria-label="\(caption)"\
       data-hint="\(ChartFigure.hint(context))"><svg class="pairs" role="img" aria-label="\(caption)">\(scale.grid)\
      \(pairs.enumerated().map { scale.shapes($1.before, $1.after, at: $0) })</svg></div>
      \(ChartFigure.reading("exercises"))
      <figcaption>\(caption) <span class="pair-legend"><svg aria-hidden="true" class="icon" viewBox="0 0 24 24"><circle class="pair-before" cx="12" cy="12" r="6"/></svg> \
      \(context.localized("Before")) <svg aria-hidden="true" class="icon" viewBox="0 0 24 24"><circle class="pair-after" cx="12" cy="12" r="6"/></svg> \
      \(context.localized("After"))</span></figcaption>
      <details class="chart-data"><summary>\(context.localized("Show as a table"))</summary>\(table(pairs, scale).html)</details>
      </figure>
      """
  }

  private func table(_ pairs: [Pair], _ scale: Scale) -> DataTable {
    DataTable(
      caption: context.localized("HRV (RMSSD) in ms"),
      headings: [
        context.localized("Day"), context.localized("Before"), context.localized("After"),
      ],
      rows: pairs.enumerated().map { place, pair in
        DataTable.Row(
          [
            DataTable.Cell(day(pair.exercise)), DataTable.Cell(pair.before.fixed(0)),
            DataTable.Cell(pair.after.fixed(0)),
          ], at: "\(scale.x(place)) \(scale.y(pair.after))")
      })
  }

  /// Positions in percent.
  private struct Scale {
    let low: Double
    let high: Double
    let count: Int

    func x(_ place: Int) -> String { (12 + 86 * (Double(place) + 0.5) / Double(count)).fixed(2) }
    func y(_ value: Double) -> String { (92 - 84 * (value - low) / (high - low)).fixed(2) }

    var grid: HTML {
      let lines = [low, (low + high) / 2, high].map { value -> HTML in
        """
        <line x1="10%" x2="100%" y1="\(y(value))%" y2="\(y(value))%"/><text x="0" y="\(y(value))%" dy=".35em">\(value.fixed(0))</text>
        """
      }
      return "<g class=\"curve-grid\">\(lines)</g>"
    }

    func shapes(_ before: Double, _ after: Double, at place: Int) -> HTML {
      let x = x(place)
      return """
        <line class="pair-line" x1="\(x)%" x2="\(x)%" y1="\(y(before))%" y2="\(y(after))%"/>\
        <circle class="pair-before" cx="\(x)%" cy="\(y(before))%" r="4"/><circle class="pair-after" cx="\(x)%" cy="\(y(after))%" r="5"/>
        """
    }
  }
}
