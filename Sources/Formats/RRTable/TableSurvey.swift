/// Detects, from all lines of a text, whether it is a table and which column contains RR intervals.
struct TableSurvey {
  enum Outcome {
    /// One number per line.
    case plain
    case table(TableLayout)
    /// A table in which no column, or more than one, is plausible as RR intervals.
    case undecided(RRText.BadLine)
  }

  private var candidates = FieldSeparator.allCases.map(TableCandidate.init)
  private var first: (number: Int, text: ArraySlice<UInt8>)?

  mutating func append(_ number: Int, _ line: ArraySlice<UInt8>) {
    if first == nil { first = (number, line) }
    for place in candidates.indices { candidates[place].append(line) }
  }

  /// - Parameter column: the name or the number (from 1) of the requested column; nil to detect it.
  func outcome(column: String?) -> Outcome {
    if let list = candidates.first(where: \.isList), column == nil {
      let unit: RRText.Unit = list.list.isInSeconds ? .seconds : .milliseconds
      return .table(TableLayout(separator: list.separator, content: .list, name: nil, impliedUnit: unit))
    }
    let tables = candidates.filter(\.isTable)
    guard let table = tables.first else { return single(column) }
    if table.isDecimalComma, column == nil || column == "1" { return .plain }
    if let column { return chosen(column, in: table) }
    let places = table.placesOfRR
    guard let place = places.first, places.count == 1 else {
      // Prose and lists with a malformed line are not tables.
      guard table.names != nil || !places.isEmpty else { return .plain }
      return undecided(.columns(table.labels, plausible: places.count))
    }
    return .table(TableLayout(table, place))
  }

  /// The result for a text with one column, which can also be requested as number 1.
  private func single(_ column: String?) -> Outcome {
    guard let column, let lines = candidates.first(where: { $0.separator == .tab }) else { return .plain }
    if column == "1" || lines.heading.first?.matches(column) == true { return .plain }
    return undecided(.noColumn(column, lines.labels))
  }

  private func chosen(_ column: String, in table: TableCandidate) -> Outcome {
    let named = table.names?.firstIndex { $0.matches(column) }
    let numbered = Int(column).flatMap { (1...table.width).contains($0) ? $0 - 1 : nil }
    guard let place = named ?? numbered, place < table.columns.count else {
      return undecided(.noColumn(column, table.labels))
    }
    return .table(TableLayout(table, place))
  }

  private func undecided(_ reason: RRText.BadLine.Reason) -> Outcome {
    let text = String(decoding: first?.text.prefix(60) ?? [], as: UTF8.self)
    return .undecided(RRText.BadLine(line: first?.number ?? 1, text: text, reason: reason))
  }
}

extension TableCandidate {
  /// The columns with RR intervals: those with the most specific names, else those with plausible numbers.
  fileprivate var placesOfRR: [Int] {
    let places = Array(columns.indices.prefix(width))
    let named = names.map { names in places.filter { names[$0].rank != nil } } ?? []
    if let names, let best = named.compactMap({ names[$0].rank }).min() {
      return narrowed(named.filter { names[$0].rank == best })
    }
    return narrowed(places.filter { columns[$0].isPlausible(rows: rows) && !columns[$0].isLongCounter })
  }

  /// Removes implausible columns and counters, unless no column would remain.
  private func narrowed(_ places: [Int]) -> [Int] {
    guard places.count > 1 else { return places }
    let plausible = places.filter { columns[$0].isPlausible(rows: rows) }
    let others = plausible.filter { !columns[$0].isCounterOrConstant }
    return !others.isEmpty ? others : !plausible.isEmpty ? plausible : places
  }

  /// The columns for messages: their headings, else their numbers.
  fileprivate var labels: [String] {
    names?.map(\.text) ?? (1...max(1, width)).map { "\($0)" }
  }
}
