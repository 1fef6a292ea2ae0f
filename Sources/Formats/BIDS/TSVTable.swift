/// A table of BIDS: a heading and rows, separated by tabs. Unknown columns and rows are kept.
struct TSVTable: Equatable {
  private(set) var columns: [String]
  private(set) var rows: [[String]] = []

  init(columns: [String]) { self.columns = columns }

  /// - Parameter required: columns that are added if the text lacks them.
  init(_ text: [UInt8]?, required: [String]) {
    let text = String(decoding: text ?? [], as: UTF8.self).replacing("\u{FEFF}", with: "")
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    columns = lines.first ?? []
    rows = lines.dropFirst().map { $0 }
    for column in required where !columns.contains(column) { columns.append(column) }
    for index in rows.indices {
      rows[index] += Array(repeating: "n/a", count: max(0, columns.count - rows[index].count))
    }
  }

  /// The rows as values by column.
  var records: [[String: String]] {
    rows.map { Dictionary(zip(columns, $0)) { first, _ in first } }
  }

  /// Replaces these values in the row whose first value is equal, or appends a row. The first value identifies the row.
  mutating func put(_ values: [(column: String, value: String)]) {
    guard let key = values.first, let place = columns.firstIndex(of: key.column) else { return }
    let found = rows.firstIndex { $0[place] == key.value }
    if found == nil { rows.append(Array(repeating: "n/a", count: columns.count)) }
    let row = found ?? rows.count - 1
    for (column, value) in values {
      if let place = columns.firstIndex(of: column) { rows[row][place] = value }
    }
  }

  var text: [UInt8] {
    Array(([columns] + rows).map { $0.joined(separator: "\t") + "\n" }.joined().utf8)
  }
}
