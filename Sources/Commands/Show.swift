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
    commandName: "show", _superCommandName: Stressmon.name,
    abstract: localized("Show the details of one measurement or one session."),
    discussion: localized(
      """
      Shows the latest session by default. A number selects a measurement, the beginning of an ID selects a session; \
      'stressmon history' lists both.
      """) + "\n"
      + examples("stressmon show", "stressmon show 42", "stressmon show 01KA8M --details"))

  @Argument(
    help: .localized(
      """
      The number of a measurement, or the beginning of the ID of a session (default: the latest session).
      """),
    completion: Completions.measurementsAndSessions)
  var id: String?

  @Flag(name: .long, help: .localized("Show the data and the statistics of a session."))
  var details = false

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    guard details, measurement != nil else { return }
    throw ValidationError(
      Phrase("--details applies to a session; a measurement is always shown with all data: leave it out."))
  }

  /// The number of a measurement. IDs of sessions begin with 0 until the year 3084; numbers of measurements never do.
  private var measurement: Int64? {
    id.flatMap { id in id.hasPrefix("0") ? nil : Int64(id).flatMap { $0 > 0 ? $0 : nil } }
  }

  func run() throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    if let measurement {
      let measurement = try stored.measurementDetails(measurement)
      try json ? output.write(measurement.json) : output.write(measurement.text)
      return
    }
    let (session, means) = try stored.sessionDetails(id)
    guard !json else { return try output.write(session.json) }
    try output.write(
      details
        ? session.details(width: output.width, style: style)
        : session.text(means, width: output.width, style: style))
  }
}

extension ProfileHistory {
  /// - Parameter prefix: the beginning of the ID of a session; the latest session without it.
  fileprivate func sessionDetails(_ prefix: String?) throws -> (SessionDetails, SessionMeans) {
    let session = try prefix.map(session) ?? latestSession()
    guard let reader = try reader() else { throw HistoryError(.replaced, path: location.path, .read) }
    var filter = HistoryFilter()
    filter.session = session.info.id
    let means = try reader.sessionMeans(of: session.info.profile, matching: filter)[session.info.id]
    return (try SessionDetails(session, reader), means ?? SessionMeans())
  }
}
