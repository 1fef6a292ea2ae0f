/// The parts of a target such as `mqtt://host:1883/id?credentials=FILE`.
struct TargetURL: Equatable {
  /// In lower case.
  var scheme: String
  var host = ""
  var port: Int?
  /// Without the slash after the host.
  var path = ""
  var query: [(key: String, value: String)] = []

  static func == (left: TargetURL, right: TargetURL) -> Bool {
    left.scheme == right.scheme && left.host == right.host && left.port == right.port
      && left.path == right.path && left.query.elementsEqual(right.query, by: ==)
  }

  /// Nil for text without a scheme, and for an invalid port.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    scheme = text[..<colon].lowercased()
    guard !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    var rest = text[text.index(after: colon)...]
    if let mark = rest.lastIndex(of: "?") {
      query = Self.query(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    guard rest.hasPrefix("//") else {
      path = String(rest)
      return
    }
    let parts = rest.dropFirst(2).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.count > 1 ? String(parts[1]) : ""
    guard takeHost(parts[0]) else { return nil }
  }

  /// Parses `HOST`, `HOST:PORT` and `[ADDRESS]:PORT`.
  private mutating func takeHost(_ text: Substring) -> Bool {
    var rest = text
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      rest = rest[end...]
    }
    guard !rest.isEmpty else { return true }
    port = Int(rest.dropFirst())
    return rest.hasPrefix(":") && port.map { (1...65535).contains($0) } ?? false
  }

  private static func query(_ text: Substring) -> [(key: String, value: String)] {
    text.split(separator: "&").map { member in
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }
}
