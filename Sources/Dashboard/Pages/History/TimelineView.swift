import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The records of a page by local day.
struct TimelineView: Sendable {
  let context: PageContext
  let items: [TimelineItem]
  /// The sessions of the simulated strap.
  let simulated: Set<SessionID>

  private static let calendar = LocalCalendar.system

  var html: HTML { days.map(day).joined(separator: "\n") }

  /// The records of each day, the newest day first.
  private var days: [(day: Int64, items: [TimelineItem])] {
    items.reduce(into: []) { days, item in
      let day = Self.calendar.day(of: item.time)
      if days.last?.day == day { days[days.count - 1].items.append(item) } else { days.append((day, [item])) }
    }
  }

  private func day(_ day: Int64, _ items: [TimelineItem]) -> HTML {
    let date = TrendPeriod.date(day)
    let name = context.language.date(items.first.map { Self.calendar.dayText($0.time) } ?? date)
    return """
      <section class="day" aria-labelledby="day-\(date)"><h2 id="day-\(date)"><time datetime="\(date)">\(name)</time></h2>
      <ol class="timeline">
      \(items.map(item).joined(separator: "\n"))
      </ol></section>
      """
  }

  private func item(_ item: TimelineItem) -> HTML {
    switch item {
    case .measurement(let measurement): row(measurement)
    case .session(let session): row(session)
    case .note(.entry(let entry)): row(entry)
    case .note(.exercise(let exercise)): row(exercise)
    case .note(.morning(let reading)): row(reading)
    }
  }

  private func mark(_ session: SessionID) -> HTML? {
    simulated.contains(session) ? " \(context.simulatedTag)" : nil
  }

  private func row(_ measurement: StoredMeasurement) -> HTML {
    let path = context.path("/history/measurements/\(measurement.id)")
    return """
      <li><a href="\(path)">\(context.clock(measurement.time))</a> \(stress(measurement)) \
      <span>\(context.value(measurement.meanHeartRate, 0, context.localized("bpm")))</span> \
      <span>RMSSD \(context.value(measurement.rmssd, 0, "ms"))</span> \
      <span class="quiet">\(context.localized("confidence \(context.value(measurement.confidence.value, 2))"))</span>\(mark(measurement.session))</li>
      """
  }

  /// The stress value, or the reason for its absence.
  private func stress(_ measurement: StoredMeasurement) -> HTML {
    guard let stress = measurement.stress else {
      return "<span class=\"category unknown\">\(context.localized("no stress value"))</span>"
    }
    guard let suspension = measurement.suspension else {
      return context.stress(stress, measurement.range, measurement.category)
    }
    return "<span class=\"category unknown\">\(context.localized(suspension.word))</span>"
  }

  private func row(_ session: StoredSession) -> HTML {
    let info = session.info
    // The mark of a simulated session states its strap.
    let strap: HTML? =
      simulated.contains(info.id)
      ? nil
      : "<span>\(session.strap.map { $0.name ?? $0.address } ?? context.localized(info.source.name))</span> "
    return """
      <li class="group"><a href="\(context.path("/history/sessions/\(info.id.text)"))">\(Icon.pulse) \
      \(context.clock(info.started)) \(context.localized("Session"))</a> \
      <span>\(context.localized("\(clockText(seconds: session.length.seconds)) long"))</span> \(strap)\
      <span class="quiet">\(context.localized(session.end))</span>\(mark(info.id))</li>
      """
  }

  private func row(_ entry: JournalEntry) -> HTML {
    let mood = entry.moodPhrase.map { "<span>\(context.localized($0))</span> " as HTML }
    let triggers = entry.triggers.map { "<span class=\"tag\">\($0)</span> " as HTML }
    let note = entry.note.map { "<span class=\"note\">\($0)</span>" as HTML }
    return """
      <li class="group"><a href="\(context.path("/journal/entries/\(entry.id)"))">\(Icon.pen) \(context.clock(entry.time)) \
      \(context.localized("Journal"))</a> \(mood)\(triggers)\(note)</li>
      """
  }

  private func row(_ exercise: StoredBreathing) -> HTML {
    let outcome = ([exercise.done] + exercise.outcome).map { "<span>\(context.localized($0))</span>" as HTML }
    return """
      <li class="group"><a href="\(context.path("/history/sessions/\(exercise.session.text)"))">\(Icon.wind) \
      \(context.clock(exercise.time)) \(context.localized("Breathing \(exercise.pattern)"))</a> \
      \(outcome.joined(separator: " "))\(mark(exercise.session))</li>
      """
  }

  private func row(_ reading: StoredMorning) -> HTML {
    """
    <li class="group"><a href="\(context.path("/history/sessions/\(reading.session.text)"))">\(Icon.sunrise) \
    \(context.clock(reading.time)) \(context.localized("Morning reading"))</a> \
    <span>\(context.localized(reading.summary))</span>\(mark(reading.session))</li>
    """
  }
}
