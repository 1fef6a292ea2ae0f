/// Scans JSON text (RFC 8259) in one pass and reports the position of each value. Never traps; limits the nesting depth.
struct JSONScanner {
  private let bytes: [UInt8]
  private let end: Int
  private var index: Int

  /// Limit of nested objects and arrays.
  static let maximumDepth = 32

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  mutating func wholeObject(_ visit: (Range<Int>, JSONObject.Value) -> Void) throws(JSONSyntaxError) {
    skipSpace()
    try object(depth: 0, visit)
    skipSpace()
    guard index == end else { throw expected("nothing after the object") }
  }

  mutating func object(
    depth: Int, _ visit: (Range<Int>, JSONObject.Value) -> Void
  ) throws(JSONSyntaxError) {
    try consume(UInt8(ascii: "{"), "an object")
    skipSpace()
    if accept(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      try consume(UInt8(ascii: ":"), "a colon")
      visit(key, try value(depth: depth))
      skipSpace()
    } while accept(UInt8(ascii: ","))
    try consume(UInt8(ascii: "}"), "a comma or a closing brace")
  }

  mutating func array(depth: Int, _ visit: (JSONObject.Value) -> Void) throws(JSONSyntaxError) {
    try consume(UInt8(ascii: "["), "an array")
    skipSpace()
    if accept(UInt8(ascii: "]")) { return }
    repeat {
      visit(try value(depth: depth))
      skipSpace()
    } while accept(UInt8(ascii: ","))
    try consume(UInt8(ascii: "]"), "a comma or a closing bracket")
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONObject.Value {
    skipSpace()
    guard depth < Self.maximumDepth else { throw expected("less nesting") }
    let start = index
    switch current {
    case UInt8(ascii: "\""): return JSONObject.Value(kind: .string, range: try string())
    case UInt8(ascii: "{"):
      try object(depth: depth + 1) { _, _ in }
      return JSONObject.Value(kind: .object, range: start..<index)
    case UInt8(ascii: "["):
      try array(depth: depth + 1) { _ in }
      return JSONObject.Value(kind: .array, range: start..<index)
    case UInt8(ascii: "t"): return try word("true", .boolean)
    case UInt8(ascii: "f"): return try word("false", .boolean)
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return JSONObject.Value(kind: .number, range: try number())
    }
  }

  /// Returns the range between the quotation marks.
  private mutating func string() throws(JSONSyntaxError) -> Range<Int> {
    try consume(UInt8(ascii: "\""), "a string")
    let start = index
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<index - 1
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw expected("no control character in a string", at: index - 1)
      default: break
      }
    }
    throw expected("the end of a string")
  }

  private mutating func escape() throws(JSONSyntaxError) {
    switch current {
    case UInt8(ascii: "u"):
      index += 1
      for _ in 0..<4 {
        guard current.flatMap(hexDigit) != nil else { throw expected("four hexadecimal digits") }
        index += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 1
    default: throw expected("an escape that JSON knows")
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> Range<Int> {
    let start = index
    _ = accept(UInt8(ascii: "-"))
    if !accept(UInt8(ascii: "0")) { try digits("a value") }
    if accept(UInt8(ascii: ".")) { try digits("a digit") }
    if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
      if !accept(UInt8(ascii: "-")) { _ = accept(UInt8(ascii: "+")) }
      try digits("a digit")
    }
    return start..<index
  }

  private mutating func digits(_ what: String) throws(JSONSyntaxError) {
    let start = index
    while let byte = current, (48...57).contains(byte) { index += 1 }
    guard index > start else { throw expected(what) }
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONObject.Kind
  ) throws(JSONSyntaxError) -> JSONObject.Value {
    let start = index
    for offset in 0..<word.utf8CodeUnitCount {
      guard unsafe current == word.utf8Start[offset] else { throw expected("a value", at: start) }
      index += 1
    }
    return JSONObject.Value(kind: kind, range: start..<index)
  }

  private var current: UInt8? { index < end ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  private mutating func consume(_ byte: UInt8, _ what: String) throws(JSONSyntaxError) {
    guard accept(byte) else { throw expected(what) }
  }

  private func expected(_ what: String, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset ?? index, expected: what)
  }
}
