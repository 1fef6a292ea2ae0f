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

  /// - Parameters:
  ///   - column: the name or the number (from 1) of the requested column, if one is requested.
  ///   - timeColumn: that of the requested column of times.
  func outcome(column: String?, timeColumn: String? = nil) -> Outcome {
    if let list = candidates.first(where: \.isList), column == nil {
      let unit: RRText.Unit = list.list.isInSeconds ? .seconds : .milliseconds
      return .table(TableLayout(separator: list.separator, content: .list, name: nil, impliedUnit: unit))
    }
    let tables = candidates.filter(\.isTable)
    guard let table = tables.first else { return single(column) }
    if table.isDecimalComma, column == nil || column == "1" { return .plain }
    if let column { return chosen(column, timeColumn, in: table) }
    let places = table.placesOfRR
    // Prose and lists with a malformed line are not tables.
    guard table.names != nil || !places.isEmpty else { return .plain }
    if let flaw = table.flaw { return undecided(flaw) }
    guard let place = places.first, places.count == 1 else {
      return undecided(.columns(table.labels, plausible: places.count))
    }
    let layout = TableLayout(table, place)
    if let timeColumn { return timed(layout, by: timeColumn, in: table) }
    switch table.times(of: layout) {
    case .none: return .table(layout)
    case .column(let column): return .table(layout.with(column))
    case .unusable(let reason): return undecided(reason)
    }
  }

  /// The result for a text with one column, which can also be requested as number 1.
  private func single(_ column: String?) -> Outcome {
    guard let column, let lines = candidates.first(where: { $0.separator == .tab }) else { return .plain }
    if column == "1" || lines.heading.first?.matches(column) == true { return .plain }
    return undecided(.noColumn(column, lines.labels))
  }

  private func chosen(_ column: String, _ timeColumn: String?, in table: TableCandidate) -> Outcome {
    guard let place = table.place(of: column) else { return undecided(.noColumn(column, table.labels)) }
    if let flaw = table.flaw { return undecided(flaw) }
    let layout = TableLayout(table, place)
    return timeColumn.map { timed(layout, by: $0, in: table) } ?? .table(layout)
  }

  /// The layout with the times of a requested column.
  private func timed(_ layout: TableLayout, by column: String, in table: TableCandidate) -> Outcome {
    guard let place = table.place(of: column) else { return undecided(.noColumn(column, table.labels)) }
    guard let notation = table.notation(place, layout, isTime: true) else {
      return undecided(.times(column: column, intervals: layout.name ?? ""))
    }
    return .table(layout.with(TimeColumn(place: place, notation: notation, name: column)))
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

// MARK: - Times, persons and results

extension TableCandidate {
  /// The result of the search for a column of times.
  enum Times {
    case none
    case column(TimeColumn)
    case unusable(RRText.BadLine.Reason)
  }

  /// The reason why no column can be read as the beats of one person. A readable table has no flaw.
  fileprivate var flaw: RRText.BadLine.Reason? {
    for (place, column) in columns.prefix(width).enumerated()
    where isMost(column.times.days + column.times.dates) {
      if column.times.areResults { return .results(column: label(place), column.times.examples) }
    }
    for place in groups.keys.sorted() {
      guard let group = groups[place], group.divides, !columns[place].isIndex else { continue }
      return .groups(
        column: label(place), values: group.values, isMore: group.isMore,
        selection: separator.selection(column: place + 1, value: group.values[0], hasHeading: true))
    }
    return nil
  }

  private func label(_ place: Int) -> String { names?[place].text ?? "\(place + 1)" }

  private func isMost(_ count: Int) -> Bool { count > 0 && count * 10 >= rows * 9 }

  /// Finds the times of the rows: dates, else numbers since 1970, else times of day, else other times.
  fileprivate func times(of layout: TableLayout) -> Times {
    guard case .column(let interval) = layout.content else { return .none }
    let candidates = columns.indices.prefix(width).filter { $0 != interval }
    let found = candidates.compactMap { place in notation(place, layout).map { (place, $0) } }
    if let (place, notation) = found.min(by: { $0.1.preference < $1.1.preference }) {
      guard agree(columns[place], notation, layout) else {
        return .unusable(.times(column: label(place), intervals: layout.name ?? ""))
      }
      return .column(TimeColumn(place: place, notation: notation, name: label(place)))
    }
    // An index and a constant state no times.
    let named = candidates.filter {
      names?[$0].isTime == true && !columns[$0].isIndex && !columns[$0].isConstant
        && columns[$0].times.days == 0
    }
    return named.first.map { .unusable(.times(column: label($0), intervals: layout.name ?? "")) } ?? .none
  }

  /// The column with this heading, or number from 1.
  fileprivate func place(of column: String) -> Int? {
    let named = names?.firstIndex { $0.matches(column) }
    let numbered = Int(column).flatMap { (1...width).contains($0) ? $0 - 1 : nil }
    return (named ?? numbered).flatMap { $0 < columns.count ? $0 : nil }
  }

  /// - Parameter isTime: whether the column is known to contain times, whatever its heading is.
  fileprivate func notation(_ place: Int, _ layout: TableLayout, isTime: Bool = false) -> TimeNotation? {
    let column = columns[place]
    if isMost(column.times.dates) { return .date }
    if isMost(column.times.clocks) { return .clock }
    guard case .column(let interval) = layout.content else { return nil }
    if isTime, let first = columns[place].first, let last = columns[place].last {
      return number(first, last, layout, interval)
    }
    guard let names else {
      return agreement.times(of: interval).flatMap {
        $0.place == place ? .number(microseconds: 1000 * $0.unit, isSince1970: false) : nil
      }
    }
    guard names[place].isTime, isMost(column.numbers), let first = column.first, let last = column.last,
      column.stepsOfOne < column.numbers - 1
    else { return nil }
    return number(first, last, layout, interval)
  }

  /// The unit in which the times of a column agree with the intervals.
  private func number(
    _ first: Double, _ last: Double, _ layout: TableLayout, _ interval: Int
  ) -> TimeNotation? {
    let span = last - first
    let unit = [1e6, 1000, 1, 0.001].first {
      Self.agreement.contains(span * $0 / layout.microseconds(of: columns[interval]))
    }
    return unit.map { .number(microseconds: $0, isSince1970: (1e15...4e15).contains(first * $0)) }
  }

  /// Whether the intervals cover most of the time of a column: more is impossible, and much less is no recording.
  private func agree(_ column: ColumnStatistics, _ notation: TimeNotation, _ layout: TableLayout) -> Bool {
    guard notation == .date, let span = column.times.span, case .column(let interval) = layout.content else {
      return true
    }
    let intervals = layout.microseconds(of: columns[interval])
    guard intervals > Self.shortest else { return true }
    return Self.agreement.contains(Double(span.last - span.first) / intervals)
  }

  /// Limits of the time from the first to the last row over the sum of the intervals.
  private static let agreement = 0.75..<50.0
  /// Below this sum, times that arrive in batches say little about the intervals: 60 s, in microseconds.
  private static let shortest = 60e6
}

extension TimeNotation {
  fileprivate var preference: Int {
    switch self {
    case .date: 0
    case .number(_, isSince1970: true): 1
    case .clock: 2
    case .number: 3
    }
  }
}

extension FieldSeparator {
  /// The command that selects the rows with a value, for messages. Not available if the value contains a quotation mark.
  fileprivate func selection(column: Int, value: String, hasHeading: Bool) -> String? {
    guard !value.contains(where: { "\"'\\".contains($0) }) else { return nil }
    let separator =
      switch self {
      case .semicolon: "-F';' "
      case .tab: "-F'\\t' "
      case .comma: "-F, "
      case .space: ""
      }
    return "awk \(separator)'NR == 1 || $\(column) == \"\(value)\"'"
  }
}

/// Splits chunks of text into lines. Memory grows with the longest line.
struct LineSplitter {
  private var rest: [UInt8] = []
  private var number = 0

  /// Calls `body` with each complete line: its number, starting at 1, and its content without surrounding white space.
  /// Empty lines and comments, which begin with `#`, are skipped.
  mutating func append(_ chunk: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Void) {
    var start = chunk.startIndex
    while let feed = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if rest.isEmpty {
        handOn(chunk[start..<feed], body)
      } else {
        rest += chunk[start..<feed]
        handOn(rest[...], body)
        rest.removeAll(keepingCapacity: true)
      }
      start = feed + 1
    }
    rest += chunk[start...]
  }

  /// Calls `body` with the last line if it has no line feed.
  mutating func finish(_ body: (Int, ArraySlice<UInt8>) -> Void) {
    if !rest.isEmpty { handOn(rest[...], body) }
    rest = []
  }

  private mutating func handOn(_ line: ArraySlice<UInt8>, _ body: (Int, ArraySlice<UInt8>) -> Void) {
    number += 1
    let hasMark = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
    let content = line.dropFirst(hasMark ? 3 : 0).withoutSpaceAround
    if !content.isEmpty, content.first != UInt8(ascii: "#") { body(number, content) }
  }
}
