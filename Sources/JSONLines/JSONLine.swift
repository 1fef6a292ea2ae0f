package import Time

/// Encodes lines of JSON: one object per line, members in the order of the calls, in a reusable buffer.
///
/// The output is valid for all inputs: text is escaped, and nil, NaN and infinity are encoded as `null`.
package struct JSONLine: Sendable {
  /// The encoded lines, each terminated by a line feed.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// Appends lines to `buffer` without copying it.
  package static func append(to buffer: inout [UInt8], _ write: (inout JSONLine) -> Void) {
    var line = JSONLine()
    swap(&line.bytes, &buffer)
    write(&line)
    swap(&line.bytes, &buffer)
  }

  /// Removes all lines and keeps the capacity of the buffer.
  package mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Appends one line: an object with the members that `members` adds. Appends nothing if it throws.
  package mutating func line(_ members: (inout JSONLine) throws -> Void) rethrows {
    let start = bytes.count
    do {
      try object(members)
      bytes.append(UInt8(ascii: "\n"))
    } catch {
      bytes.removeSubrange(start...)
      throw error
    }
  }

  package mutating func put(_ key: String, _ value: String?) {
    begin(key)
    if let value { text(value) } else { null() }
  }

  package mutating func put(_ key: String, _ value: Int64?) {
    begin(key)
    if let value { bytes.appendDigits(of: value) } else { null() }
  }

  package mutating func put(_ key: String, _ value: Int?) { put(key, value.map(Int64.init)) }

  package mutating func put(_ key: String, _ value: Bool?) {
    begin(key)
    if let value { bytes += value ? "true".utf8 : "false".utf8 } else { null() }
  }

  /// Adds the shortest decimal that parses to the same `Double`.
  package mutating func put(_ key: String, _ value: Double?) {
    begin(key)
    number(value)
  }

  package mutating func put(_ key: String, _ values: some Sequence<Double>) {
    begin(key)
    array(values) { $0.number($1) }
  }

  /// Adds a time in seconds since the start of the session, exact (up to ten decimals).
  package mutating func put(_ key: String, seconds time: SessionTime?) {
    begin(key)
    if let time { bytes.append(seconds: time) } else { null() }
  }

  /// Adds an array of durations in ticks of 1/80,000 ms as ms, exact (up to seven decimals).
  package mutating func put(_ key: String, milliseconds ticks: some Sequence<Int64>) {
    begin(key)
    array(ticks) { $0.bytes.append(milliseconds: $1) }
  }

  package mutating func put(_ key: String, texts values: some Sequence<String>) {
    begin(key)
    array(values) { $0.text($1) }
  }

  /// Adds an array with one object per element, with the members that `members` adds.
  package mutating func put<Elements: Sequence>(
    _ key: String, objects elements: Elements, _ members: (inout JSONLine, Elements.Element) -> Void
  ) {
    begin(key)
    array(elements) { line, element in line.object { members(&$0, element) } }
  }

  /// Adds a nested object.
  package mutating func put(_ key: String, _ members: (inout JSONLine) throws -> Void) rethrows {
    begin(key)
    try object(members)
  }

  /// Adds a JSON value that is already encoded and valid; `null` for nil.
  package mutating func put(_ key: String, document value: [UInt8]?) {
    begin(key)
    bytes += value ?? Array("null".utf8)
  }

  /// Adds bytes in lower-case hexadecimal, two digits each.
  package mutating func put(_ key: String, hex value: [UInt8]) {
    begin(key)
    bytes.append(UInt8(ascii: "\""))
    for byte in value { hex(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds bytes in base64 (RFC 4648, section 4), with padding.
  package mutating func put(_ key: String, base64 value: [UInt8]) {
    begin(key)
    bytes += "\"\(Base64.encode(value))\"".utf8
  }
}

extension JSONLine {
  private mutating func object(_ members: (inout JSONLine) throws -> Void) rethrows {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    try members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  private mutating func begin(_ key: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    text(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func array<S: Sequence>(_ elements: S, _ put: (inout JSONLine, S.Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      put(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func null() { bytes += "null".utf8 }

  private mutating func number(_ value: Double?) {
    guard let value, value.isFinite else { return null() }
    bytes += value.description.utf8
  }

  /// Appends the text unescaped, which is the common case, then re-encodes it from the first byte that needs an escape.
  private mutating func text(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += value.utf8
    if let first = bytes[start...].firstIndex(where: Self.mayNeedEscape) {
      var rest = Array(bytes[first...])[...]
      bytes.removeSubrange(first...)
      while let byte = rest.popFirst() {
        if byte == Self.c1Lead, let next = rest.first, next < 0xA0 {
          bytes += "\\u00".utf8
          hex(rest.removeFirst())
        } else {
          escaped(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The first byte of U+0080 to U+00BF. The control characters U+0080 to U+009F are escaped, as terminals execute them.
  private static let c1Lead: UInt8 = 0xC2

  private static func mayNeedEscape(_ byte: UInt8) -> Bool { needsEscape(byte) || byte == c1Lead }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): bytes += "\\n".utf8
    case UInt8(ascii: "\r"): bytes += "\\r".utf8
    case UInt8(ascii: "\t"): bytes += "\\t".utf8
    case _ where Self.needsEscape(byte):
      bytes += "\\u00".utf8
      hex(byte)
    default: bytes.append(byte)
    }
  }

  private mutating func hex(_ byte: UInt8) {
    for digit in [byte >> 4, byte & 15] {
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
