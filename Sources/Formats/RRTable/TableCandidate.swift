import JSONLines

/// A text read with one separator: how many columns its rows have, and what stands in them, in constant memory.
struct TableCandidate {
  let separator: FieldSeparator
  /// Lines with at least one number, and all lines after the first of those.
  private(set) var rows = 0
  /// The names of the columns, where a line without numbers precedes the first row.
  private(set) var heading: [ColumnName] = []
  private(set) var columns: [ColumnStatistics] = []
  /// How many rows have how many columns.
  private var widths: [Int: Int] = [:]
  /// Whether every field of the first row is a plausible RR interval, all in one unit.
  private var firstRowIsList = false
  /// The statistics of all fields of the first row, as if they were a column.
  private(set) var list = ColumnStatistics()
  /// The statistics of all rows, as if each were one number with a decimal comma.
  private var decimal = ColumnStatistics()

  /// Rows with more columns are not examined beyond these.
  private static let mostColumns = 64

  init(separator: FieldSeparator) { self.separator = separator }

  mutating func append(_ line: ArraySlice<UInt8>) {
    let fields = separator.fields(line)
    let isRow = rows > 0 || fields.contains { DecimalNumber($0) != nil }
    guard isRow else {
      heading = fields.prefix(Self.mostColumns).map(ColumnName.init)
      return
    }
    rows += 1
    if widths.count < 1000 || widths[fields.count] != nil { widths[fields.count, default: 0] += 1 }
    if rows == 1 { for field in fields { list.append(field) } }
    if separator == .comma { decimal.append(line) }
    while columns.count < min(fields.count, Self.mostColumns) { columns.append(ColumnStatistics()) }
    for (place, field) in fields.prefix(Self.mostColumns).enumerated() { columns[place].append(field) }
  }

  /// The number of columns of most rows.
  var width: Int { widths.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0 }

  /// Whether at least nine of ten rows have the same number of columns, of which there are at least two.
  var isTable: Bool { width > 1 && (widths[width] ?? 0) * 10 >= rows * 9 }

  /// Whether the text is one line of RR intervals. Two numbers with a comma between them are one decimal number.
  var isList: Bool {
    rows == 1 && width > (separator == .comma ? 2 : 1) && list.numbers == width
      && max(list.plausibleMilliseconds, list.plausibleSeconds) == width
  }

  /// Whether the comma is the decimal sign of one number per line: two fields of digits without a heading of their own.
  /// It separates two columns where the second is plausible, and the first is an index or the decimal number implausible.
  var isDecimalComma: Bool {
    guard separator == .comma, width == 2, names == nil, columns[0].isAllDigits, columns[1].isAllDigits else {
      return false
    }
    let isSeparator = columns[0].isIndex || !decimal.isPlausible(rows: rows)
    return !(isSeparator && columns[1].isPlausible(rows: rows))
  }

  /// The heading, where it names each column.
  var names: [ColumnName]? { heading.count == width && width > 0 ? heading : nil }
}
