import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The beginning of the page of a session: one sentence, the stress curve with marks and moods, and the time in each category.
struct SessionCourse: Sendable {
  let details: SessionDetails
  let means: SessionMeans
  let context: PageContext

  private var session: StoredSession { details.session }
  private var length: Double { max(session.length.seconds, 60) }

  var html: HTML {
    let isSimulated = session.info.source == .simulated
    var facts = FactList()
    facts.add(context.localized("Start"), context.time(session.info.started))
    facts.add(context.localized("Length"), context.length(session.length.seconds))
    facts.add(context.localized("HRV (RMSSD)"), context.value(means.rmssd, 0, "ms"))
    facts.add(
      context.localized("Mean heart rate"), context.value(means.heartRate, 0, context.localized("bpm")))
    return """
      <section class="card stack"><div class="row between"><p class="judgement">\(sentence)</p>\
      <div class="row">\(level)\(isSimulated ? context.simulatedTag : nil)</div></div>
      \(curve)\(means.isReading ? nil : CategoryShares(context) { means[$0] }.html)
      \(facts.html)</section>
      """
  }

  private var level: HTML? { means.stress.map { context.stress($0, means.range, StressCategory(score: $0)) } }

  private var sentence: String { context.localized(means.sentence(length: session.length.seconds)) }

  /// The last value of each minute. A single value is no curve.
  private var curve: HTML? {
    let minutes = details.minutes.filter { $0.statedStress != nil }
    guard minutes.count > 1 else { return nil }
    let values = minutes.compactMap { minute in
      minute.statedStress.map { stress in
        StressCurve.Value(
          start: min(1, Double(minute.number) * 60 / length),
          end: min(1, Double(minute.number + 1) * 60 / length),
          stress: stress)
      }
    }
    return StressCurve(
      id: "stress", values: values, marks: marks, ticks: ticks,
      caption: context.localized("Stress of each minute of the session."), table: table(minutes, values)
    ).html(context)
  }

  private var marks: [StressCurve.Mark] {
    let entries = details.journal.map { entry in
      StressCurve.Mark(
        at: Double(entry.time.seconds(since: session.info.started)) / length,
        icon: entry.mood.map(MoodWeek.face) ?? Icon.pen)
    }
    let marks = details.marks.map { StressCurve.Mark(at: $0.at.seconds / length, icon: Icon.pen) }
    let exercises = details.exercises.map { exercise in
      StressCurve.Mark(
        at: Double(exercise.time.seconds(since: session.info.started)) / length, icon: Icon.wind)
    }
    return (entries + marks + exercises).filter { (0...1).contains($0.at) }
  }

  /// At most six times of the local clock.
  private var ticks: [(at: Double, text: String)] {
    let step =
      [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800].first { length / $0 <= 5 } ?? 86_400
    return stride(from: 0, through: length, by: step).map { seconds in
      let time = session.info.started.moved(seconds: Int64(seconds))
      return (seconds / length, String(LocalCalendar.system.clockText(time).prefix(5)))
    }
  }

  /// Limit of the rows of the table.
  static let mostRows = 120

  /// At most ``mostRows`` elements, evenly spaced.
  static func thinned<Element>(_ elements: [Element]) -> [Element] {
    let step = max(1, (elements.count + mostRows - 1) / mostRows)
    return stride(from: step - 1, to: elements.count, by: step).map { elements[$0] }
  }

  private func table(_ minutes: [SessionDetails.Minute], _ values: [StressCurve.Value]) -> DataTable {
    let rows = Self.thinned(Array(zip(minutes, values))).map { minute, value in
      DataTable.Row(
        [
          .init(clockText(seconds: minute.at.seconds)),
          .init(StressValueText.text(value.stress, minute.range?.bounds)),
          .init(context.language.lowercasedWord(value.category)), .init(context.percent(minute.confidence)),
          .init(context.value(minute.heartRate, 0)), .init(context.value(minute.rmssd, 1)),
        ], at: StressCurve.point(value.middle, value.stress))
    }
    return DataTable(
      caption: context.localized("The last measurement of each minute, or of each longer step."),
      headings: [
        context.localized("at"), context.localized("stress"), context.localized("category"),
        context.localized("confidence"), context.localized("HR"), context.localized("HRV (RMSSD) in ms"),
      ], rows: rows)
  }
}
