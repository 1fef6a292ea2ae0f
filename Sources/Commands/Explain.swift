import ArgumentParser
import HRV
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", _superCommandName: Stressmon.name,
    abstract: localized(
      "Show the stress formula with the numbers of a stored measurement or with given numbers."),
    discussion: localized(
      """
      Explains the latest measurement by default. 'stressmon history' lists the numbers of the stored measurements.
      """) + "\n"
      + examples(
        "stressmon explain",
        "stressmon explain 42",
        "stressmon explain --hrv 20 --hr 90"))

  @Argument(
    help: .localized("The number of a stored measurement (default: the latest one)."),
    completion: Completions.measurements)
  var id: Int64?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The HRV of the window in ms (RMSSD or SDNN)."), valueName: "ms"))
  var hrv: Double?

  @Option(
    name: .customLong("hr"),
    help: ArgumentHelp(localized("The mean heart rate of the window in bpm."), valueName: "bpm")
  )
  var heartRate: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The baseline HRV in ms (default: your baseline)."), valueName: "ms"))
  var baselineHRV: Double?

  @Option(
    name: .customLong("resting-hr"),
    help: ArgumentHelp(localized("The resting heart rate in bpm (default: your baseline)."), valueName: "bpm")
  )
  var restingHeartRate: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The number of normal beats in the window."), valueName: "count"))
  var samples: Int?

  @Flag(
    name: .long,
    help: .localized(
      "Compare the confidence of past values with the electrocardiograms of your sessions (at least 1 h)."))
  var calibration = false

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if calibration, id != nil || isTyped {
      throw ValidationError(
        Phrase(
          "--calibration concerns all sessions: leave out the number and the values. Example: \("stressmon explain --calibration")"
        ))
    }
    if id == nil, isTyped, hrv == nil || heartRate == nil {
      throw ValidationError(
        Phrase("explain requires both --hrv and --hr. Example: \("stressmon explain --hrv 20 --hr 90")"))
    }
    if id != nil, isTyped {
      throw ValidationError(
        Phrase(
          "a stored measurement contains its own values: leave out --hrv, --hr, --baseline-hrv, --resting-hr and --samples."
        )
      )
    }
    if let samples, samples < 1 {
      throw ValidationError.outOfRange("--samples \(samples)", atLeast: "1", example: "--samples 60")
    }
  }

  /// Whether the values are typed instead of stored.
  private var isTyped: Bool {
    [hrv, heartRate, baselineHRV, restingHeartRate].contains { $0 != nil } || samples != nil
  }

  func run() throws {
    if calibration { return try printCalibration() }
    let (explanation, heading) = try isTyped ? (typed(), nil) : stored()
    let output = StandardOutput()
    try json ? output.write(explanation.json) : output.write(explanation.text(heading: heading))
  }

  private func printCalibration() throws {
    let stored = try ProfileHistory(store)
    var calibration = ConfidenceCalibration()
    if let reader = try stored.reader() { try calibration.addSessions(of: stored.profile, reader) }
    guard calibration.seconds >= ConfidenceCalibration.leastSeconds else {
      throw CommandFailure(
        .badData,
        Phrase(
          "the sessions of '\(stored.profile.printable)' contain \(Int(calibration.seconds / 60)) min of electrocardiograms, and 60 are required. Record one with: \("stressmon live --ecg")"
        ))
    }
    let output = StandardOutput()
    try json
      ? output.write(calibration.json)
      : output.write(calibration.phrases.map { localized($0) + "\n" }.joined())
  }

  private func typed() throws -> Explanation {
    let usual = try usual()
    let inputs = StressScore.Inputs(
      hrv: hrv ?? .nan, heartRate: heartRate ?? .nan, baselineHRV: usual.hrv,
      restingHeartRate: usual.restingHeartRate)
    do {
      let score = try StressScore(inputs)
      return Explanation(
        score: score,
        confidence: Confidence(
          inputs, goodBeats: samples, baselineWeight: usual.reference?.baseline.weight),
        interval: ExplainedInterval(score, weight: usual.reference?.baseline.weight ?? 1),
        reference: usual.reference)
    } catch {
      throw CommandFailure(.badData, error.message)
    }
  }

  /// The values at rest that the typed ones are compared with.
  private struct Usual {
    var hrv: Double
    var restingHeartRate: Double
    var reference: Explanation.Reference?
  }

  /// The typed baseline; for a value that is missing, the baseline in force, which is then the reference.
  private func usual() throws -> Usual {
    if let baselineHRV, let restingHeartRate {
      return Usual(hrv: baselineHRV, restingHeartRate: restingHeartRate)
    }
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let baseline = try stored.reader()?.baseline(of: stored.profile) ?? .populationDefault
    let metric = context.configuration.hrvMetric
    return Usual(
      hrv: baselineHRV ?? baseline.hrv(metric),
      restingHeartRate: restingHeartRate ?? baseline.restingHeartRate,
      reference: Explanation.Reference(baseline: baseline, metric: metric))
  }

  /// The explanation of the stored measurement, and its heading.
  private func stored() throws -> (Explanation, String?) {
    let stored = try ProfileHistory(store)
    let id = try id ?? stored.latestMeasurement()
    let details = try stored.measurementDetails(id)
    guard let explanation = details.explanation else {
      throw CommandFailure(
        .badData, Phrase("measurement \(id) has no stress value. \(Phrase(known: details.reason))"))
    }
    return (explanation, details.heading)
  }
}
