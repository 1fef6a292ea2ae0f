import ArgumentParser
import HeartRate
import History
import Stress
import Terminal

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Show, set or relearn what is usual for you at rest.",
    discussion: """
      Stress is measured against it. It is learned from your own resting minutes over 30 days.
      Example: stressmon baseline
      """,
    subcommands: [Show.self, Set.self, Reset.self, Recompute.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the baseline in force, and what it was learned from.",
      discussion: "Example: stressmon baseline show --json")

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let place = try options.place()
      let reader = try HistoryReader(place.location)
      try options.show(
        place, baseline: reader?.baseline(of: place.profile),
        evidence: reader?.baselineEvidence(of: place.profile, today: place.today))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Set the baseline by hand; nothing is learned over it until reset or recompute.",
      discussion: "Example: stressmon baseline set --rmssd 42 --resting-hr 56")

    @Option(name: .long, help: ArgumentHelp("Usual RMSSD at rest, 1 to 500.", valueName: "ms"))
    var rmssd: Double?

    @Option(name: .long, help: ArgumentHelp("Usual SDNN at rest, 1 to 500.", valueName: "ms"))
    var sdnn: Double?

    @Option(
      name: .customLong("resting-hr"), help: ArgumentHelp("Heart rate at rest, 20 to 150.", valueName: "bpm"))
    var restingHeartRate: Double?

    @OptionGroup var options: BaselineOptions

    func validate() throws {
      if rmssd == nil, sdnn == nil, restingHeartRate == nil {
        throw ValidationError("Say what to set: --rmssd, --sdnn or --resting-hr.")
      }
      for (name, value, range) in [
        ("rmssd", rmssd, 1.0...500), ("sdnn", sdnn, 1...500), ("resting-hr", restingHeartRate, 20...150),
      ] {
        guard let value, !range.contains(value) else { continue }
        throw ValidationError(
          "'--\(name) \(value)' is out of range: it takes \(range.lowerBound.fixed(0)) to \(range.upperBound.fixed(0))."
        )
      }
    }

    func run() throws {
      let place = try options.place()
      let writer = try HistoryWriter(place.location)
      let reader = try HistoryReader(place.location)
      var baseline = try reader?.baseline(of: place.profile) ?? .prior
      baseline.rmssd = rmssd ?? baseline.rmssd
      baseline.sdnn = sdnn ?? baseline.sdnn
      baseline.restingHeartRate = restingHeartRate ?? baseline.restingHeartRate
      baseline.days = Baseline.matureDays
      baseline.origin = .manual
      try writer.setBaseline(baseline, of: place.profile, at: SystemClock.wall)
      try options.show(
        place, baseline: baseline,
        evidence: reader?.baselineEvidence(of: place.profile, today: place.today))
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset",
      abstract: "Go back to the prior, 50 ms and 60 bpm, and learn from new sessions alone.",
      discussion: """
        What is stored stays; recompute learns from it again.
        Example: stressmon baseline reset
        """)

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let place = try options.place()
      try BaselineLearning(place.location).reset(place.profile, at: SystemClock.wall)
      try options.show(place, baseline: nil, evidence: nil)
    }
  }

  struct Recompute: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recompute",
      abstract: "Learn the baseline anew from all stored beats.",
      discussion: """
        Undoes set and reset. Without either it gives the value that was learned day by day.
        Example: stressmon baseline recompute
        """)

    @OptionGroup var options: BaselineOptions

    func run() throws {
      let place = try options.place()
      let evidence = try BaselineLearning(place.location).recompute(
        place.profile, today: place.today, at: SystemClock.wall)
      try options.show(place, baseline: evidence?.blended, evidence: evidence)
    }
  }
}

/// Whose baseline, and how it is shown.
struct BaselineOptions: ParsableArguments {
  @Flag(name: .long, help: "One JSON object.")
  var json = false

  @OptionGroup var store: StoreOptions

  struct Place {
    let location: StoreLocation
    let profile: String
    /// The local day, in days since 1970-01-01.
    let today: Int
  }

  func place() throws -> Place {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    return Place(
      location: try store.location(configuration, surroundings), profile: store.profileName(configuration),
      today: LocalZone.today)
  }

  func show(_ place: Place, baseline: Baseline?, evidence: BaselineEvidence?) throws {
    let report = BaselineReport(profile: place.profile, baseline: baseline ?? .prior, evidence: evidence)
    try StandardOutput().write(json ? report.json : report.text)
  }
}
