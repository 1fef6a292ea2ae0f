import History

extension HistoryReader {
  /// For a run that is about to write: it need not leave a history of an older program to others, and brings its tables
  /// up to date first. Nil when nothing is stored at `location` yet.
  static func beforeWriting(_ location: StoreLocation) throws(HistoryError) -> HistoryReader? {
    do throws(HistoryError) {
      return try HistoryReader(location)
    } catch {
      guard error.code == .olderThanProgram else { throw error }
      _ = try HistoryWriter(location)
      return try HistoryReader(location)
    }
  }
}
