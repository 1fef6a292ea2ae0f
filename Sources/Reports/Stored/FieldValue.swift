package import HeartRate
import JSONLines

/// The value of a field of a record, for JSON and CSV.
package enum FieldValue {
  case text(String?)
  case integer(Int64?)
  case number(Double?)
  case seconds(SessionTime)
  case truth(Bool?)

  func put(_ key: String, into line: inout JSONLine) {
    switch self {
    case .text(let text): line.put(key, text)
    case .integer(let integer): line.put(key, integer)
    case .number(let number): line.put(key, number)
    case .seconds(let time): line.put(key, seconds: time)
    case .truth(let truth): line.put(key, truth)
    }
  }

  /// The value as a field of RFC 4180; empty for nil and for non-finite numbers.
  package var csv: String {
    switch self {
    case .text(let text): text.map(Self.quoted) ?? ""
    case .integer(let integer): integer.map { "\($0)" } ?? ""
    case .number(let number): number.flatMap { $0.isFinite ? $0.description : nil } ?? ""
    case .seconds(let time): time.seconds.description
    case .truth(let truth): truth.map(\.description) ?? ""
    }
  }

  /// Quotes byte by byte, because a quotation mark with a combining mark is one character.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    let quote = UInt8(ascii: "\"")
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}

/// A key and a function that reads its value from a record.
typealias Field<Record> = (key: String, value: @Sendable (Record) -> FieldValue)
