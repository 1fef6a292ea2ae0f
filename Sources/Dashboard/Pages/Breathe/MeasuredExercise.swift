import Breathing
import HeartRate
import History
import JSONLines
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports

/// A guided exercise that the server runs: a rest, the breathing, a rest, and whether HRV changed.
struct MeasuredExercise: Sendable {
  /// The exercise, if one was started.
  let status: ActivityRunner.Status?
  /// The live session of the server, if one was started.
  let live: ActivityRunner.Status?
  /// The lines of the profile's live session, if there is one.
  let snapshot: FeedHub.Snapshot?
  let context: PageContext

  var html: HTML? {
    get throws {
      guard let status else { return nil }
      if status.isRunning { return running(status) }
      if let failure = status.failureText(context) {
        return "<p class=\"error\" role=\"alert\">\(failure)</p>"
      }
      return try stored(status).map(result)
    }
  }

  /// The exercise of the session that the program names in its output.
  private func stored(_ status: ActivityRunner.Status) throws -> StoredBreathing? {
    let report = status.result.flatMap { try? JSONObject($0) }
    guard let session = report?.text("session").flatMap(SessionID.init(_:)) else { return nil }
    return try context.reader?.breathingExercises(in: session).last
  }

  private func running(_ status: ActivityRunner.Status) -> HTML {
    let pattern = status.activity.pattern ?? .relaxing
    var guide = BreathingGuide(pattern: pattern, cycles: 1)
    guide.cycles =
      status.activity.minutes.map { pattern.cycles(nearest: .seconds(60 * $0)) }
      ?? (pattern == .relaxing ? 4 : pattern.cycles(nearest: .seconds(300)))
    let stage = MeasuredStage(
      snapshot?.state.marks ?? [], since: status.started,
      breathing: pattern.cycleSeconds * Double(guide.cycles), now: SystemClock.wall)
    guide.followsSession = true
    guide.hidesCircle = stage.kind != .breathing
    return """
      <section class="card stack" aria-labelledby="running-title" id="live" data-profile="\(context.profile)"\
       data-cursor="\(snapshot?.position.text ?? "")">
      <h2 id="running-title">\(context.localized("A measured exercise is running"))\
      \(status.activity.isSimulated ? " \(context.simulatedTag)" : nil)</h2>
      \(stage.html(context))
      <p id="activity" class="quiet" data-command="breathe">\(context.localized("One minute of rest, the breathing, and a second minute of rest are measured."))</p>
      <form method="post" action="\(context.path("/breathe/stop"))"><button class="primary">\(context.localized("Stop and keep the data"))</button></form>
      </section>
      \(guide.html(context))
      """
  }

  private func result(_ exercise: StoredBreathing) -> HTML {
    let parts = [
      (context.localized("Before"), exercise.before), (context.localized("During"), exercise.during),
      (context.localized("After"), exercise.after),
    ]
    let rows: [(String, KeyPath<StoredBreathing.Part, Double?>, Int)] = [
      (context.localized("HRV (RMSSD) in ms"), \.rmssd, 1),
      (context.localized("Heart rate in bpm"), \.heartRate, 1),
      (context.localized("Stress"), \.stress, 0),
    ]
    let cells = rows.map { name, value, decimals -> HTML in
      let values = parts.map { "<td>\($0.1[keyPath: value]?.fixed(decimals) ?? "-")</td>" as HTML }
      return "<tr><th scope=\"row\">\(name)</th>\(values)</tr>"
    }
    return """
      <section class="card stack" aria-labelledby="result-title">
      <h2 id="result-title">\(context.localized("Your last exercise"))</h2>\(exercise.isSimulated ? "<p>\(context.simulatedTag)</p>" : nil)
      \(BreathingSentence(exercise).lines.map { "<p>\(context.localized($0))</p>" as HTML })
      <div class="table-wrap" tabindex="0" role="region" aria-label="\(context.localized("Before, during and after"))">\
      <table><thead><tr><td></td>\(parts.map { "<th scope=\"col\">\($0.0)</th>" as HTML })</tr></thead>\
      <tbody>\(cells)</tbody></table></div>
      </section>
      """
  }

  /// The form that starts a measured exercise. Omitted while something is measured, and on a read-only server.
  func form(_ pattern: BreathingPattern) -> HTML? {
    guard !context.isReadOnly else {
      return
        "<p class=\"notice\">\(context.localized("This server is read-only. Start a measured exercise in a terminal with: stressmon breathe"))</p>"
    }
    guard !(status?.isRunning ?? false) else { return nil }
    let choices = (BreathePage.patterns + context.preferences.favourites).map { choice -> HTML in
      """
      <option value="\(choice.name)"\(attribute: "selected", if: choice == pattern)>\(BreathingGuide.name(choice, context))</option>
      """
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
