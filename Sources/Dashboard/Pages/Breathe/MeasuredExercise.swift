import Breathing
import HeartRate
import History
import JSONLines
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// A guided exercise that the server runs: a rest, the breathing, a rest, and whether HRV changed.
struct MeasuredExercise: Sendable {
  /// The exercise, if one was started.
  let status: ActivityRunner.Status?
  /// The live session of the server, if one was started.
  let live: ActivityRunner.Status?
  /// The lines of the profile's live session, if there is one.
  let snapshot: FeedHub.Snapshot?
  /// In ns of the boot clock.
  let boot: Int64
  let context: PageContext

  /// The heart rate of the session.
  var pulse: BreathingPulse { BreathingPulse(snapshot: snapshot, now: boot) }

  /// The page of the exercise while it runs.
  var running: Page? {
    guard let status, status.isRunning else { return nil }
    let pattern = status.activity.pattern ?? .relaxing
    var guide = BreathingGuide(pattern, minutes: status.activity.minutes)
    let stage = MeasuredStage(
      snapshot?.state.marks ?? [], since: status.started,
      breathing: pattern.cycleSeconds * Double(guide.cycles), now: SystemClock.wall)
    (guide.stage, guide.pulse) = (stage, pulse)
    let tag: HTML? = status.activity.isSimulated ? "<p>\(context.simulatedTag)</p>" : nil
    var page = Page(
      .breathe, title: context.localized("A measured exercise is running"),
      content: """
        <div class="stack"\(pulse.attributes(context))>
        \(tag)\(guide.html(context))
        <form id="activity" data-command="breathe" method="post" action="\(context.path("/breathe/stop"))" class="close">\
        <button>\(context.localized("Stop and keep the data"))</button></form>
        </div>
        """)
    page.heading = BreathingGuide.name(pattern, context)
    page.isFullScreen = true
    page.reloadSeconds = 10
    return page
  }

  /// The result of the latest exercise, or why it failed.
  var result: HTML? {
    get throws {
      guard let status else { return nil }
      if let failure = status.failureText(context) {
        return "<p class=\"error\" role=\"alert\">\(failure)</p>"
      }
      return try stored(status).map { BreathingResultCard(exercise: $0, context: context).html }
    }
  }

  /// The exercise of the session that the program names in its output.
  private func stored(_ status: ActivityRunner.Status) throws -> StoredBreathing? {
    let report = status.result.flatMap { try? JSONObject($0) }
    guard let session = report?.text("session").flatMap(SessionID.init(_:)) else { return nil }
    return try context.reader?.breathingExercises(in: session).last
  }

  /// The form that starts a measured exercise. A read-only server shows a notice instead.
  var form: HTML? {
    guard !context.isReadOnly else {
      return "<p class=\"notice\">\(context.localized("This server is read-only: it measures nothing."))</p>"
    }
    let own = context.preferences.favourites.compactMap(\.pattern)
    let patterns = Exercise.predefined.compactMap(\.pattern)
    let choices = (patterns + own.filter { !patterns.contains($0) }).map { choice -> HTML in
      "<option value=\"\(choice.name)\">\(BreathingGuide.name(choice, context))</option>"
    }
    return """
      <section class="card" aria-labelledby="measured-title">
      <h2 id="measured-title">\(context.localized("Measured exercise"))</h2>
      <form method="post" action="\(context.path("/breathe/start"))" class="stack">
      <p>\(context.localized("Measures one minute of rest before and after the breathing, and reports whether your HRV changed."))\
      \(interruption.map { " \($0)" as HTML })</p>
      <div class="row">
      <div class="field"><label for="measured-pattern">\(context.localized("Pattern"))</label><select id="measured-pattern"\
       name="pattern">\(choices)</select></div>
      <div class="field"><label for="measured-minutes">\(context.localized("Minutes"))</label><input id="measured-minutes"\
       name="minutes" type="number" min="1" max="60" value="3" required></div>
      </div>
      <label><input type="checkbox" name="simulate" value="on"\
      \(attribute: "checked", if: (status ?? live)?.activity.isSimulated ?? false)>\
      \(context.localized("Simulated strap, to try it without hardware"))</label>
      <div><button class="primary">\(Icon.wind) \(context.localized("Start measured exercise"))</button></div>
      </form>
      </section>
      """
  }

  /// What happens to the running live session.
  private var interruption: String? {
    guard live?.isRunning ?? false else { return nil }
    return context.localized("The live session ends for the exercise and starts again afterwards.")
  }
}

/// The result of an exercise: one sentence, the buddy before and after, and the statistics as closed details.
struct BreathingResultCard: Sendable {
  let exercise: StoredBreathing
  let context: PageContext

  var html: HTML {
    let lines = BreathingSentence(exercise).lines
    return """
      <section class="card stack" aria-labelledby="result-title">
      <div class="row between"><h2 id="result-title">\(context.localized("Your last exercise"))</h2>\
      \(exercise.isSimulated ? context.simulatedTag : nil)</div>
      <p class="judgement">\(lines.first.map { context.localized($0) } ?? "")</p>
      <div class="buddies">\(buddy(context.localized("Before"), exercise.before))\
      <span class="arrow" aria-hidden="true">\u{2192}</span>\(buddy(context.localized("After"), exercise.after))</div>
      <details><summary>\(context.localized("Details"))</summary>
      \(lines.dropFirst().map { "<p>\(context.localized($0))</p>" as HTML })
      \(table.html)</details>
      <div>\(context.button("/history/sessions/\(exercise.session.text)", context.localized("Open the session")))</div>
      </section>
      """
  }

  private func buddy(_ name: String, _ part: StoredBreathing.Part) -> HTML {
    let category = part.stress.map { StressCategory(score: $0) }
    let mood = part.stress.map { BuddyMood(score: $0) }
    let value: HTML =
      part.stress.map { context.stress($0, nil, category) }
      ?? "<span>\(context.localized("No stress value"))</span>"
    return """
      <div data-category="\(category?.rawValue ?? "unknown")" data-mood="\(mood?.rawValue ?? "none")">\(BuddyPicture.html)\
      <p>\(name)<br>\(value)</p></div>
      """
  }

  private var table: DataTable {
    let parts = [exercise.before, exercise.during, exercise.after]
    func row(_ name: String, _ value: KeyPath<StoredBreathing.Part, Double?>, _ decimals: Int)
      -> DataTable.Row
    {
      DataTable.Row(
        [DataTable.Cell(name)] + parts.map { DataTable.Cell(context.value($0[keyPath: value], decimals)) })
    }
    return DataTable(
      caption: context.localized("Before, during and after"),
      headings: ["", context.localized("Before"), context.localized("During"), context.localized("After")],
      rows: [
        row(context.localized("HRV (RMSSD) in ms"), \.rmssd, 1),
        row(context.localized("Heart rate in bpm"), \.heartRate, 1),
        row(context.localized("Stress"), \.stress, 0),
      ])
  }
}
