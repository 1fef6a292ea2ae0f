import HeartRate
import History
import Localization
import Platform
import Reports
import Stress

/// A day of a calendar with the hue and the pattern of the category of its mean stress, and the value in words.
struct DayTile: Sendable {
  /// 0 to 100.
  let stress: Double
  /// What is visible on the tile.
  var label: HTML?
  let context: PageContext

  var category: StressCategory { StressCategory(score: stress) }

  var html: HTML {
    let (word, mean) = (context.language.word(category), stress.fixed(0))
    return """
      <span class="tile"><svg aria-hidden="true" focusable="false"><rect class="tile-hue" width="100%" height="100%"/>\
      <rect width="100%" height="100%" fill="\(CategoryMarks.paint(category))"/></svg>\(label)\
      <span class="visually-hidden">\(label == nil ? nil : ": " as HTML)\(mean) \(word)</span></span>
      """
  }
}

/// A month as a calendar whose days have the hue and the pattern of the category of their mean stress. It is a table: each day is
/// named with its value.
struct MonthMap: Sendable {
  /// In days since 1970-01-01.
  let month: Range<Int64>
  let model: HistoryModel
  let context: PageContext

  private var name: String { context.language.date(TrendPeriod.month(of: month.lowerBound)) }

  var html: HTML {
    let first = month.lowerBound - Int64(TrendPeriod.weekday(month.lowerBound))
    let weeks = stride(from: first, to: month.upperBound, by: 7).map { week -> HTML in
      "<tr>\((week..<week + 7).map(cell))</tr>"
    }
    // Any Monday.
    let weekdays = (first..<first + 7).map {
      "<th scope=\"col\">\(MoodWeek.weekday($0, context))</th>" as HTML
    }
    return """
      <table class="month" id="month-\(HistorySpan.text(month: month))"><caption class="visually-hidden">\
      \(context.localized("Mean stress of each day, \(name)"))</caption><thead><tr>\(weekdays)</tr></thead><tbody>
      \(weeks.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func cell(_ day: Int64) -> HTML {
    guard month.contains(day) else { return "<td></td>" }
    let date = TrendPeriod.date(day)
    let number = "\(day - month.lowerBound + 1)"
    let current = day == model.span.today ? "date" : nil
    let mood = model.moods[day]?.mean
    guard let stress = model.means[day]?[.stress]?.mean else {
      let content: HTML =
        model.means[day] != nil || mood != nil
        ? "<a href=\"\(context.path("/history?day=\(date)"))\"><span class=\"tile\"><span class=\"date\">\(number)</span></span></a>"
        : "<span class=\"tile none\"><span class=\"date\">\(number)</span></span>"
      return "<td\(attribute: "aria-current", current)>\(content)</td>"
    }
    let tile = DayTile(stress: stress, label: "<span class=\"date\">\(number)</span>", context: context)
    return """
      <td class="\(tile.category.rawValue)"\(attribute: "aria-current", current)>\
      <a href="\(context.path("/history?day=\(date)"))">\(tile.html)</a></td>
      """
  }

  /// The days of the month as a table in words.
  var table: DataTable {
    let rows = month.compactMap { day -> DataTable.Row? in
      let sums = model.means[day]
      guard sums != nil || model.moods[day] != nil else { return nil }
      let stress = sums?[.stress]?.mean
      return DataTable.Row([
        .init(context.language.date(model.calendar.dayText(model.calendar.start(ofDay: day)))),
        .init(context.value(stress, 0)),
        .init(stress.map { context.language.lowercasedWord(StressCategory(score: $0)) } ?? "-"),
        .init(context.value(sums?[.heartRate]?.mean, 0)), .init(context.value(sums?[.rmssd]?.mean, 0)),
        .init(context.value(model.moods[day]?.mean, 0)),
      ])
    }
    return DataTable(
      caption: context.localized("Mean stress of each day, \(name)"),
      headings: [
        context.localized("day"), context.localized("stress"), context.localized("category"),
        context.localized("HR"), context.localized("HRV (RMSSD) in ms"), context.localized("mood"),
      ], rows: rows)
  }
}
