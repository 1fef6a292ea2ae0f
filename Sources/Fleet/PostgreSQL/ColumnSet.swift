/// Rows for a bulk INSERT, stored as one array per column.
struct ColumnSet {
  private(set) var columns: [PostgreSQLArray]
  private(set) var count = 0

  init(_ types: [PostgreSQLType]) { columns = types.map { PostgreSQLArray($0) } }

  /// Appends a row with values of the types of the columns.
  mutating func append(_ row: [PostgreSQLValue]) {
    precondition(row.count == columns.count)
    for (index, value) in row.enumerated() { columns[index].append(value) }
    count += 1
  }

  var values: [PostgreSQLValue] { columns.map { .array($0) } }

  /// `$1::bigint[], $2::text[], ...`
  var parameters: String {
    columns.enumerated().map { "$\($0 + 1)::\($1.type.name)[]" }.joined(separator: ", ")
  }
}

extension PostgreSQLType {
  var name: String {
    switch self {
    case .boolean: "boolean"
    case .bytes: "bytea"
    case .integer: "bigint"
    case .text: "text"
    case .real: "double precision"
    case .time: "timestamptz"
    }
  }
}
