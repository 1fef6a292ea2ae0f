import ArgumentParser
import History

/// Which sessions of a person are meant.
struct SessionSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Only this session, by the beginning of its name; may be repeated.", valueName: "id"))
  var session: [String] = []

  @OptionGroup var filter: HistoryFilterOptions

  func validate() throws {
    if !session.isEmpty, filter.isGiven {
      throw ValidationError("--session names sessions: leave out what filters them.")
    }
  }

  var isGiven: Bool { !session.isEmpty || filter.isGiven }

  /// The sessions that are meant, oldest first; named ones as they are named.
  func sessions(in place: Place, _ reader: HistoryReader) throws -> [StoredSession] {
    guard session.isEmpty else { return try session.map { try place.session($0) } }
    let found = try reader.sessions(of: place.profile, matching: filter.filter, limit: .max)
    return found.reversed().filter { $0.events > 0 }
  }
}
