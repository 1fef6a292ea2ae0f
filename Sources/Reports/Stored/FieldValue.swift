package import HeartRate
import JSONLines
import Platform

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
    case .text(let text): text?.csvField ?? ""
    case .integer(let integer): integer.map { "\($0)" } ?? ""
    case .number(let number): number.flatMap { $0.isFinite ? $0.description : nil } ?? ""
    case .seconds(let time): time.seconds.description
    case .truth(let truth): truth.map(\.description) ?? ""
    }
  }
}

/// A key and a function that reads its value from a record.
typealias Field<Record> = (key: String, value: @Sendable (Record) -> FieldValue)
