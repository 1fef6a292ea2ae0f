/// The first text in the output of a program that Swift's reflection of a value produced: a value without a text form was
/// interpolated into a string. Nil for output without such text.
///
/// Found are `Optional(5)`, `.some(5)`, and an initialiser with a label, such as `Phrase(key: "a", values: [])`.
package func reflectedValue(in output: [UInt8]) -> String? {
  var rest = output[...]
  while let bracket = rest.firstIndex(of: UInt8(ascii: "(")) {
    if let start = startOfReflection(output, bracket) {
      return String(decoding: output[start...].prefix(80), as: UTF8.self)
    }
    rest = rest[(bracket + 1)...]
  }
  return nil
}

/// The index at which the reflection of a value starts whose first bracket is at `bracket`; nil if the bracket is another one.
private func startOfReflection(_ output: [UInt8], _ bracket: Int) -> Int? {
  var start = bracket
  while start > 0, isLetterOrDigit(output[start - 1]) { start -= 1 }
  guard start < bracket else { return nil }
  let name = output[start..<bracket]
  if name.elementsEqual("Optional".utf8) { return start }
  if name.elementsEqual("some".utf8), start > 0, output[start - 1] == UInt8(ascii: ".") { return start }
  guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(output[start]) else { return nil }
  let label = output[(bracket + 1)...].prefix(while: isLetterOrDigit)
  guard let first = label.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return nil }
  return output[label.endIndex...].starts(with: ": ".utf8) ? start : nil
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
    true
  default: false
  }
}
