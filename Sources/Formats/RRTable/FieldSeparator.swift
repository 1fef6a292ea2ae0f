/// The separator between the fields of a line.
enum FieldSeparator: CaseIterable {
  // In order of preference, because a date can contain spaces and a number can contain a comma.
  case semicolon
  case tab
  case comma
  /// Any number of spaces and tabs.
  case space

  /// The fields of `line`, without surrounding white space and quotation marks. A separator between quotation marks is part
  /// of the field.
  func fields(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted, separates(line[index]) else { continue }
      append(line[start..<index], to: &fields)
      start = index + 1
    }
    append(line[start...], to: &fields)
    return fields
  }

  private func append(_ field: ArraySlice<UInt8>, to fields: inout [ArraySlice<UInt8>]) {
    let field = field.unquoted
    if self != .space || !field.isEmpty { fields.append(field) }
  }

  private func separates(_ byte: UInt8) -> Bool {
    switch self {
    case .semicolon: byte == UInt8(ascii: ";")
    case .tab: byte == 0x09
    case .comma: byte == UInt8(ascii: ",")
    case .space: byte == 0x20 || byte == 0x09
    }
  }

  /// Whether a byte is a separator or a quotation mark.
  static func mayDelimit(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || allCases.contains { $0.separates(byte) }
  }
}

extension ArraySlice<UInt8> {
  /// The slice without surrounding spaces, tabs and carriage returns.
  var withoutSpaceAround: Self {
    var rest = drop { $0.isLineSpace }
    while let last = rest.last, last.isLineSpace { rest.removeLast() }
    return rest
  }

  /// The slice without surrounding white space and then without surrounding quotation marks.
  fileprivate var unquoted: Self {
    let field = withoutSpaceAround
    let quote = UInt8(ascii: "\"")
    guard field.count >= 2, field.first == quote, field.last == quote else { return field }
    return field.dropFirst().dropLast().withoutSpaceAround
  }
}

extension UInt8 {
  /// A space, a tab or a carriage return.
  var isLineSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
