import ArgumentParser
import HeartRate
import History
import Recording
import Stress
import Terminal

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show the latest measurements and sessions.",
    discussion: """
      Example: stressmon history
      Example: stressmon history --limit 100 --json
      Example: stressmon history --sessions
      """)

  @Option(name: .long, help: ArgumentHelp("How many to show.", valueName: "n"))
  var limit = 20

  @Flag(name: .long, help: "Sessions instead of measurements.")
  var sessions = false

  @Flag(name: .long, help: "One JSON object per line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("'--limit \(limit)': it takes 1 or more.") }
  }

  func run() throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let location = try store.location(configuration, surroundings)
    let profile = store.profileName(configuration)
    let report = HistoryReport(profile: profile, path: location.path)
    let output = StandardOutput()
    let reader = try HistoryReader(location)
    if sessions {
      let found = try reader?.sessions(of: profile, limit: limit) ?? []
      try output.write(json ? report.json(found) : report.text(found))
    } else {
      let found = try reader?.latestMeasurements(of: profile, limit: limit) ?? []
      try output.write(json ? report.json(found) : report.text(found))
    }
  }
}
