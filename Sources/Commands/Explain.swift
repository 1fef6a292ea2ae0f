import ArgumentParser
import HeartRate
import History
import Recording
import Stress
import Terminal

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Fill in the stress formula with the numbers of a measurement, or with your own.",
    discussion: """
      Example: stressmon explain --hrv 20 --hr 90
      Example: stressmon explain 42          (the stored measurement 42, see stressmon history)
      """)

  @Argument(help: "The number of a stored measurement.")
  var id: Int64?

  @Option(name: .long, help: ArgumentHelp("HRV of the window in ms (RMSSD or SDNN).", valueName: "ms"))
  var hrv: Double?

  @Option(
    name: .customLong("hr"), help: ArgumentHelp("Mean heart rate of the window in bpm.", valueName: "bpm"))
  var heartRate: Double?

  @Option(name: .long, help: ArgumentHelp("Your usual HRV in ms (default: your baseline).", valueName: "ms"))
  var baselineHRV: Double?

  @Option(
    name: .customLong("resting-hr"),
    help: ArgumentHelp("Your resting heart rate in bpm (default: your baseline).", valueName: "bpm"))
  var restingHeartRate: Double?

  @Option(name: .long, help: ArgumentHelp("Good beats in the window.", valueName: "count"))
  var samples: Int?

  @Flag(name: .long, help: "One JSON object.")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    if id == nil, hrv == nil || heartRate == nil {
      throw ValidationError("Give --hrv and --hr, or the number of a stored measurement.")
    }
    if id != nil,
      [hrv, heartRate, baselineHRV, restingHeartRate].contains(where: { $0 != nil }) || samples != nil
    {
      throw ValidationError(
        "A stored measurement brings its own numbers: leave out --hrv, --hr and the others.")
    }
    if let samples, samples < 1 {
      throw ValidationError("'--samples \(samples)': at least one beat is needed.")
    }
  }

  func run() throws {
    let explanation = try id.map(stored) ?? typed()
    let output = StandardOutput()
    try json ? output.write(explanation.json) : output.write(explanation.text)
  }

  private func typed() throws -> Explanation {
    let usual = try usual()
    let inputs = StressScore.Inputs(
      hrv: hrv ?? .nan, heartRate: heartRate ?? .nan, baselineHRV: usual.hrv,
      restingHeartRate: usual.restingHeartRate)
    do {
      return Explanation(
        score: try StressScore(inputs),
        confidence: Confidence(hrv: inputs.hrv, heartRate: inputs.heartRate, goodBeats: samples),
        reference: usual.reference)
    } catch {
      throw CommandFailure(.badData, "no stress value: \(error)")
    }
  }

  /// What was typed; for what was not, the baseline in force, which then is the reference.
  private func usual() throws -> (hrv: Double, restingHeartRate: Double, reference: Explanation.Reference?) {
    if let baselineHRV, let restingHeartRate { return (baselineHRV, restingHeartRate, nil) }
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let reader = try HistoryReader(store.location(configuration, surroundings))
    let baseline = try reader?.baseline(of: store.profileName(configuration)) ?? .prior
    let metric = configuration[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd
    return (
      baselineHRV ?? baseline.hrv(metric), restingHeartRate ?? baseline.restingHeartRate,
      Explanation.Reference(baseline: baseline, metric: metric)
    )
  }

  private func stored(_ id: Int64) throws -> Explanation {
    let details = try MeasurementDetails(id, try Place(store))
    guard let explanation = details.explanation else {
      throw CommandFailure(.badData, "measurement \(id) has no stress value. \(details.reason)")
    }
    return explanation
  }
}
