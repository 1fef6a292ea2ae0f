package import JSONLines

/// A record of the history that is written as JSON and as CSV.
package protocol ListedRecord {
  /// The line with the names of the columns, with its line break.
  static var csvHeading: String { get }
  /// The record as a line of CSV, with its line break.
  var csv: String { get }
  /// Adds the members of the record's JSON object.
  func put(into line: inout JSONLine)
}

extension Collection where Element: ListedRecord {
  /// One object per line.
  package var json: [UInt8] {
    var line = JSONLine()
    for record in self { line.line { record.put(into: &$0) } }
    return line.bytes
  }

  /// A heading and one line per record.
  package var csv: String { Element.csvHeading + map(\.csv).joined() }
}
