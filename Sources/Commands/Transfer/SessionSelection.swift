import ArgumentParser
import History
import Localization

/// A selection of the sessions of a profile.
struct SessionSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Only this session, by the beginning of its ID; may be repeated.", valueName: "id"),
    completion: Completions.sessions)
  var session: [String] = []

  @OptionGroup var filter: HistoryFilterOptions

  func validate() throws {
    if !session.isEmpty, filter.isGiven {
      throw ValidationError(
        Phrase("--session and the filter options exclude each other: leave out one of them."))
    }
  }

  var isGiven: Bool { !session.isEmpty || filter.isGiven }

  /// The selected sessions, oldest first; those of `--session` in the order of the options.
  func sessions(in context: CommandContext, _ reader: HistoryReader) throws -> [StoredSession] {
    guard session.isEmpty else { return try session.map { try context.session($0) } }
    let found = try reader.sessions(of: context.profile, matching: filter.filter, limit: .max)
    return found.reversed().filter { $0.events > 0 }
  }
}
