internal import History
internal import Localization

/// The history from which a target is published.
struct PublishedHistory {
  private let location: StoreLocation
  private let target: String
  private var reader: HistoryReader?
  private var writer: HistoryWriter?
  private var revision: Int64?

  init(_ location: StoreLocation, target: String) { (self.location, self.target) = (location, target) }

  /// - Throws: ``FleetError`` if nothing is stored.
  mutating func opened() throws(FleetError) -> HistoryReader {
    guard let reader = try openReader() else {
      throw FleetError(.local, Phrase("the history \(location.path) does not exist"))
    }
    return reader
  }

  /// The data that are not acknowledged, if the history changed since the last call.
  mutating func changes(of profiles: [PublishedProfile], limit: Int) throws(FleetError) -> Unpublished? {
    guard let reader = try openReader() else { return nil }
    let latest = try FleetError.local { () throws(HistoryError) in try reader.revision() }
    guard latest != revision else { return nil }
    let unpublished = try FleetError.local { () throws(HistoryError) in
      try reader.unpublished(to: target, of: profiles, limit: limit)
    }
    revision = latest
    return unpublished
  }

  mutating func advance(_ positions: [PublishingPosition]) throws(FleetError) {
    let target = target
    try write { writer throws(HistoryError) in try writer.advance(positions, of: target) }
  }

  /// Moves the position of a session back to the event `next` to publish it again from there.
  /// - Returns: False if no later event was acknowledged.
  mutating func rewind(_ session: SessionID, to next: Int64) throws(FleetError) -> Bool {
    let target = target
    return try write { writer throws(HistoryError) in try writer.rewind(session, to: next, of: target) }
  }

  private mutating func write<Value>(
    _ body: (HistoryWriter) throws(HistoryError) -> Value
  ) throws(FleetError) -> Value {
    let writer = try opened(writer)
    self.writer = writer
    do throws(HistoryError) {
      return try body(writer)
    } catch {
      self.writer = nil
      throw FleetError(.local, error.message)
    }
  }
}

extension PublishedHistory {
  /// The reader, once something is stored.
  private mutating func openReader() throws(FleetError) -> HistoryReader? {
    if reader == nil {
      reader = try FleetError.local { () throws(HistoryError) in try HistoryReader(location) }
    }
    return reader
  }

  private func opened(_ writer: HistoryWriter?) throws(FleetError) -> HistoryWriter {
    if let writer { return writer }
    return try FleetError.local { () throws(HistoryError) in try HistoryWriter(location) }
  }
}

extension FleetError {
  /// Converts the error of the history.
  static func local<Value>(_ body: () throws(HistoryError) -> Value) throws(FleetError) -> Value {
    do throws(HistoryError) { return try body() } catch { throw FleetError(.local, error.message) }
  }
}
