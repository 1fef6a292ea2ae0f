import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: localized("Show the details of one measurement or one session."),
    discussion: localized(
      """
      Shows the latest session by default. A number selects a measurement, the beginning of an ID selects a session; \
      'stressmon history' lists both.
      """) + "\n"
      + examples("stressmon show", "stressmon show 42", "stressmon show 01KA8M --json"))

  @Argument(
    help: .localized(
      """
      The number of a measurement, or the beginning of the ID of a session (default: the latest session).
      """),
    completion: Completions.measurementsAndSessions)
  var id: String?

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func run() throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    // IDs of sessions begin with 0 until the year 3084; numbers of measurements never do.
    if let id, let number = Int64(id), number > 0, !id.hasPrefix("0") {
      let details = try stored.measurementDetails(number)
      try json ? output.write(details.json) : output.write(details.text)
    } else {
      let details = try stored.sessionDetails(id)
      try json
        ? output.write(details.json) : output.write(details.text(width: output.width, style: style))
    }
  }
}

extension ProfileHistory {
  /// - Parameter prefix: the beginning of the ID of a session; the latest session without it.
  fileprivate func sessionDetails(_ prefix: String?) throws -> SessionDetails {
    let session = try prefix.map(session) ?? latestSession()
    guard let reader = try reader() else { throw HistoryError(.replaced, path: location.path, .read) }
    return try SessionDetails(session, reader)
  }
}
