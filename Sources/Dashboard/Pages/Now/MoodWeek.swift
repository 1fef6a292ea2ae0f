import History
import Localization
import Reports

/// The moods of the last seven days as faces with words. A day opens its entries, or the form for the first one.
struct MoodWeek: Sendable {
  let moods: [NowModel.DayMood]
  let context: PageContext

  var html: HTML {
    let days = moods.map { day -> HTML in
      let isToday = day.day == moods.last?.day
      return """
        <li\(attribute: "aria-current", isToday ? "date" : nil)><a href="\(path(day, isToday))"><span class="small">\
        \(isToday ? context.localized("Today") : Self.weekday(day.day, context))</span>\
        \(Self.face(day.mood))<span class="small quiet">\(text(day.mood, isToday))</span></a></li>
        """
    }
    return "<ol class=\"week\" id=\"week\" data-refresh=\"\">\(days)</ol>"
  }

  private func path(_ day: NowModel.DayMood, _ isToday: Bool) -> String {
    let date = TrendPeriod.date(day.day)
    guard day.mood == nil, !context.isReadOnly else { return context.path("/history?day=\(date)") }
    return context.path(isToday ? "/journal" : "/journal?day=\(date)")
  }

  private func text(_ mood: Mood?, _ isToday: Bool) -> String {
    if let mood { return "\(Self.word(mood, context)), \(mood.rating)/10" }
    return isToday && !context.isReadOnly
      ? context.localized("How do you feel?") : context.localized("no entry")
  }

  static func word(_ mood: Mood, _ context: PageContext) -> String {
    switch (mood.rating - 1) / 2 {
    case 0: context.localized("very anxious")
    case 1: context.localized("anxious")
    case 2: context.localized("neutral")
    case 3: context.localized("calm")
    default: context.localized("very calm")
    }
  }

  /// A face whose mouth follows the rating; a dashed circle without an entry.
  static func face(_ mood: Mood?) -> HTML {
    guard let mood else {
      return HTML(
        trusted:
          "<svg class=\"mood\" viewBox=\"0 0 40 40\" aria-hidden=\"true\"><circle class=\"mood-none\" cx=\"20\" cy=\"20\" r=\"17\"/></svg>"
      )
    }
    let bend = Double(mood.rating) * 1.8 - 9.9
    let mouth = "M12 \((26 - bend / 2).fixed(1))Q20 \((26 + bend).fixed(1)) 28 \((26 - bend / 2).fixed(1))"
    return HTML(
      trusted:
        "<svg class=\"mood\" viewBox=\"0 0 40 40\" aria-hidden=\"true\"><circle cx=\"20\" cy=\"20\" r=\"17\"/>"
        + "<path d=\"M14 16h.01M26 16h.01\(mouth)\"/></svg>")
  }

  /// - Parameter day: in days since 1970-01-01, a Thursday.
  static func weekday(_ day: Int64, _ context: PageContext) -> String {
    switch (day % 7 + 7) % 7 {
    case 0: context.localized("Thu")
    case 1: context.localized("Fri")
    case 2: context.localized("Sat")
    case 3: context.localized("Sun")
    case 4: context.localized("Mon")
    case 5: context.localized("Tue")
    default: context.localized("Wed")
    }
  }
}
