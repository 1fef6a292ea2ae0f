import JSONLines

/// Statistics of a text that is split by one separator: column counts and values, in constant memory.
struct TableCandidate {
  let separator: FieldSeparator
  /// Number of lines from the first one that contains a number.
  private(set) var rows = 0
  /// The column names, if a line without numbers precedes the first row; otherwise empty.
  private(set) var heading: [ColumnName] = []
  private(set) var columns: [ColumnStatistics] = []
  /// The values of the columns whose names are those of persons or conditions, by index.
  private(set) var groups: [Int: GroupValues] = [:]
  private(set) var agreement = TimeAgreement()
  /// Number of rows by number of columns.
  private var widths: [Int: Int] = [:]
  /// The statistics of the fields in the first row.
  private(set) var list = ColumnStatistics()
  /// The statistics of the rows, each parsed as one number with a decimal comma.
  private var decimal = ColumnStatistics()

  /// Limit of the columns that are examined in each row.
  private static let mostColumns = 64

  init(separator: FieldSeparator) { self.separator = separator }

  mutating func append(_ line: ArraySlice<UInt8>) {
    let fields = separator.fields(line)
    let isRow = rows > 0 || fields.contains { DecimalNumber($0) != nil }
    guard isRow else {
      heading = fields.prefix(Self.mostColumns).map(ColumnName.init)
      groupPlaces = heading.indices.filter { heading[$0].isGroup }
      return
    }
    rows += 1
    if widths.count < 1000 || widths[fields.count] != nil { widths[fields.count, default: 0] += 1 }
    if rows == 1 { for field in fields { list.append(field) } }
    if separator == .comma { decimal.append(line) }
    while columns.count < min(fields.count, Self.mostColumns) { columns.append(ColumnStatistics()) }
    for (place, field) in fields.prefix(Self.mostColumns).enumerated() { columns[place].append(field) }
    for place in groupPlaces where place < fields.count {
      groups[place, default: GroupValues()].append(fields[place])
    }
    if heading.isEmpty, fields.count > 1 { agreement.append(fields) }
  }

  private var groupPlaces: [Int] = []

  /// The most frequent number of columns.
  var width: Int { widths.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0 }

  /// Whether at least 90 % of the rows have the same number of columns, at least two.
  var isTable: Bool { width > 1 && (widths[width] ?? 0) * 10 >= rows * 9 }

  /// Whether the text is one line of RR intervals. Two numbers separated by a comma are one decimal number.
  var isList: Bool {
    rows == 1 && width > (separator == .comma ? 2 : 1) && list.numbers == width
      && max(list.plausibleMilliseconds, list.plausibleSeconds) == width
  }

  /// Whether the comma is the decimal sign of one number per line: both fields consist of digits, and no heading names them.
  /// It separates columns if the second one is plausible and either the first one is an index or the decimal number is
  /// implausible.
  var isDecimalComma: Bool {
    guard separator == .comma, width == 2, names == nil, columns[0].isAllDigits, columns[1].isAllDigits else {
      return false
    }
    let isSeparator = columns[0].isIndex || !decimal.isPlausible(rows: rows)
    return !(isSeparator && columns[1].isPlausible(rows: rows))
  }

  /// The heading, if it has one name per column.
  var names: [ColumnName]? { heading.count == width && width > 0 ? heading : nil }
}
