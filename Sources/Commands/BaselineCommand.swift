import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", _superCommandName: Stressmon.name,
    abstract: localized("Show, set, reset or recompute your baseline at rest."),
    discussion: localized(
      """
      Stress is computed relative to the baseline, which is estimated from your resting minutes over 30 days. Your own \
      values have most of the weight from the first day with rest on.
      """) + "\n"
      + examples("stressmon baseline"),
    subcommands: [Show.self, Set.self, Reset.self, Recompute.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: localized("Show the current baseline and the data that it is estimated from."),
      discussion: examples("stressmon baseline show --json"))

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let target = try options.target()
      let reader = try HistoryReader(target.location)
      try options.show(
        target, baseline: reader?.baseline(of: target.profile),
        evidence: reader?.baselineEvidence(of: target.profile, today: target.today))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: localized("Set the baseline manually; it stays fixed until reset or recompute."),
      discussion: examples("stressmon baseline set --rmssd 42 --resting-hr 56"))

    @Option(name: .long, help: ArgumentHelp(localized("The baseline RMSSD, 1 to 500 ms."), valueName: "ms"))
    var rmssd: Double?

    @Option(name: .long, help: ArgumentHelp(localized("The baseline SDNN, 1 to 500 ms."), valueName: "ms"))
    var sdnn: Double?

    @Option(
      name: .customLong("resting-hr"),
      help: ArgumentHelp(localized("The resting heart rate, 20 to 150 bpm."), valueName: "bpm"))
    var restingHeartRate: Double?

    @OptionGroup var options: BaselineOptions

    func validate() throws {
      if rmssd == nil, sdnn == nil, restingHeartRate == nil {
        throw ValidationError(
          Phrase(
            "set requires --rmssd, --sdnn or --resting-hr. Example: stressmon baseline set --rmssd 42 --resting-hr 56"
          )
        )
      }
      try require("rmssd", rmssd, in: 1...500)
      try require("sdnn", sdnn, in: 1...500)
      try require("resting-hr", restingHeartRate, in: 20...150)
    }

    private func require(_ name: String, _ value: Double?, in range: ClosedRange<Double>) throws {
      guard let value, !range.contains(value) else { return }
      throw ValidationError.outOfRange(
        "--\(name) \(value)", range.lowerBound.fixed(0), to: range.upperBound.fixed(0),
        example: "stressmon baseline set --rmssd 42 --resting-hr 56")
    }

    func run() throws {
      let target = try options.target(creates: true)
      let writer = try HistoryWriter(target.location)
      let reader = try HistoryReader(target.location)
      var baseline = try reader?.baseline(of: target.profile) ?? .populationDefault
      baseline.rmssd = rmssd ?? baseline.rmssd
      baseline.sdnn = sdnn ?? baseline.sdnn
      baseline.restingHeartRate = restingHeartRate ?? baseline.restingHeartRate
      baseline.markManual()
      try writer.setBaseline(baseline, of: target.profile, at: SystemClock.wall)
      try options.show(
        target, baseline: baseline,
        evidence: reader?.baselineEvidence(of: target.profile, today: target.today))
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset",
      abstract: localized(
        "Reset the baseline to the population default (50 ms, 60 bpm) and restart the estimation."),
      discussion: localized(
        """
        Stored sessions are kept; 'stressmon baseline recompute' estimates the baseline from them again.
        """) + "\n"
        + examples("stressmon baseline reset"))

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let target = try options.target()
      try BaselineUpdater(target.location).reset(target.profile, at: SystemClock.wall)
      try options.show(target, baseline: nil, evidence: nil)
    }
  }

  struct Recompute: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recompute",
      abstract: localized("Estimate the baseline again from all stored beats."),
      discussion: localized(
        """
        Undoes set and reset, and searches all sessions for resting minutes with the current rules. Also computes the \
        stress of imported sessions again, each with the baseline of its day, so that it does not depend on the order \
        of the imports; files that state their baseline are not affected.
        """) + "\n"
        + examples("stressmon baseline recompute"))

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let target = try options.target()
      let evidence = try BaselineUpdater(target.location).recompute(
        target.profile, today: target.today, at: SystemClock.wall)
      let context = try CommandContext()
      let scored = try BaselineUpdater(target.location).scoreImports(
        of: target.profile, sampling: .every(context.configuration.storeInterval))
      if scored > 0 {
        let text = localized(
          "computed the stress of \(scored) imported session again",
          "computed the stress of \(scored) imported sessions again", count: scored)
        printDiagnostic("stressmon: \(text)")
      }
      try options.show(target, baseline: evidence?.blended, evidence: evidence)
    }
  }
}

/// The profile of the baseline, and its output.
struct BaselineOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var store: StoreOptions

  struct ProfileTarget {
    let location: StoreLocation
    let profile: String
    /// The local day, in days since 1970-01-01.
    let today: Int
  }

  /// - Parameter creates: whether a missing database is created.
  func target(creates: Bool = false) throws -> ProfileTarget {
    let context = try CommandContext()
    let stored = try creates ? ProfileHistory(storing: store, context) : ProfileHistory(store, context)
    return ProfileTarget(location: stored.location, profile: stored.profile, today: LocalZone.today)
  }

  func show(_ target: ProfileTarget, baseline: Baseline?, evidence: BaselineEvidence?) throws {
    let report = BaselineReport(
      profile: target.profile, baseline: baseline ?? .populationDefault, evidence: evidence)
    try json ? StandardOutput().write(report.json) : StandardOutput().write(report.text)
  }
}
