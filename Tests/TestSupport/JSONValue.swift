import FoundationEssentials

/// A parsed JSON value, for tests of program output.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Parses a JSON text.
  /// - Throws: if `text` is not exactly one JSON value.
  package init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }

  package subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
  package var number: Double? { if case .number(let number) = self { number } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  package var numbers: [Double]? {
    if case .list(let values) = self { values.compactMap(\.number) } else { nil }
  }
  package var elements: [JSONValue] { if case .list(let values) = self { values } else { [] } }
  package var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
}

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }
}

extension [String] {
  /// Parses each line as JSON.
  package func json() throws -> [JSONValue] { try map { try JSONValue($0) } }
}

extension [JSONValue] {
  /// Returns the lines with the type `type`.
  package func of(type: String) -> [JSONValue] { filter { $0["type"]?.text == type } }
}
