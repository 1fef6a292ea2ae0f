import JSONLines

/// Why a session disconnected a reader: the last line of such a connection.
package enum FeedDisconnection: String, Sendable, CaseIterable {
  /// The reader did not read in time, and its queue was full.
  case behind
  /// The session has the maximum number of readers.
  case tooManyReaders = "too-many-readers"

  static let type = "disconnect"

  /// The line with its line feed.
  var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("type", Self.type)
      line.put("reason", rawValue)
    }
    return line.bytes
  }

  /// Decodes the line of a disconnection. Fails for lines of other types.
  init?(_ object: JSONObject) {
    guard object.text("type") == Self.type, let reason = object.text("reason")
    else { return nil }
    self.init(rawValue: reason)
  }
}
