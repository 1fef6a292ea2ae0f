import HeartRate
import History
import Localization
import Platform
import Reports
import Stress

/// The days of a year with the hue and the pattern of the category of their mean stress: a row for each month, a column for each day
/// of the month.
struct YearMap: Sendable {
  let means: DayMeans
  /// In days since 1970-01-01.
  let days: Range<Int64>
  let context: PageContext

  init(means: DayMeans, days: Range<Int64>, _ context: PageContext) {
    (self.means, self.days, self.context) = (means, days, context)
  }

  /// Reads the days of `times`.
  init(_ reader: HistoryReader, _ times: Range<WallTime>, _ context: PageContext) throws {
    let calendar = LocalCalendar.system
    means = DayMeans(try reader.quarterHours(of: context.profile, in: times), calendar)
    days = calendar.day(of: times.lowerBound)..<calendar.day(of: times.upperBound.moved(seconds: -1)) + 1
    self.context = context
  }

  var html: HTML {
    let numbers = (1...31).map { number -> HTML in
      // The numbers of a year's columns do not fit side by side on a phone.
      number % 5 == 0
        ? "<th scope=\"col\">\(number)</th>"
        : "<th scope=\"col\"><span class=\"visually-hidden\">\(number)</span></th>"
    }
    return """
      <section class="card stack" aria-labelledby="year-title"><h2 id="year-title">\(context.localized("Every day"))</h2>
      <table class="year"><caption class="visually-hidden">\(context.localized("Mean stress of each day"))</caption>\
      <thead><tr><td></td>\(numbers)</tr></thead><tbody>
      \(months.map(row).joined(separator: "\n"))
      </tbody></table>\(CategoryLegend(context: context).html)</section>
      """
  }

  /// The months of the year that begin with the first measured day, in days since 1970-01-01.
  private var months: [Range<Int64>] {
    guard let first = days.first(where: { means[$0] != nil }) else { return [] }
    var months = [HistorySpan.month(of: first)]
    while let last = months.last, last.upperBound < days.upperBound {
      months.append(HistorySpan.month(of: last.upperBound))
    }
    return months
  }

  private func row(_ month: Range<Int64>) -> HTML {
    let name = context.language.date(TrendPeriod.month(of: month.lowerBound))
    let cells = month.map { day -> HTML in
      guard let stress = means[day]?[.stress]?.mean else {
        return "<td><span class=\"tile none\"></span></td>"
      }
      let tile = DayTile(stress: stress, context: context)
      return "<td class=\"\(tile.category.rawValue)\">\(tile.html)</td>"
    }
    return """
      <tr><th scope="row"><a href="\(context.path("/history?month=\(HistorySpan.text(month: month))"))">\(name)</a></th>\(cells)</tr>
      """
  }
}
