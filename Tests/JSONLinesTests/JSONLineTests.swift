import TestSupport
import Testing
import Time

@testable import JSONLines

@Suite struct JSONLineTests {
  private func line(_ members: (inout JSONLine) -> Void) -> String {
    var line = JSONLine()
    line.line(members)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test func membersKeepTheOrderOfTheCalls() {
    let text = line {
      $0.put("z", 1)
      $0.put("a", "b")
      $0.put("yes", true)
      $0.put("rr_ms", [800.5, 1.0])
      $0.put("inner") {
        $0.put("x", 0.1)
        $0.put("empty") { _ in }
      }
      $0.put("last", Int64.min)
    }
    #expect(
      text
        == #"{"z":1,"a":"b","yes":true,"rr_ms":[800.5,1.0],"inner":{"x":0.1,"empty":{}},"last":-9223372036854775808}"#
        + "\n")
  }

  @Test func nilAndNonFiniteNumbersAreEncodedAsNull() {
    let text = line {
      $0.put("a", nil as String?)
      $0.put("b", Double.nan)
      $0.put("c", -Double.infinity)
      $0.put("d", nil as Int?)
      $0.put("e", nil as Bool?)
      $0.put("f", seconds: nil)
      $0.put("g", [Double.nan])
    }
    #expect(text == #"{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null,"g":[null]}"# + "\n")
  }

  @Test func textIsEscaped() {
    let text = line { $0.put("k\"", "\"\\\n\r\t\u{0}\u{1F}\u{7F}é\u{2028}🫀") }
    #expect(text == #"{"k\"":"\"\\\n\r\t\u0000\u001f\u007fé"# + "\u{2028}🫀\"}\n")
  }

  @Test("Control characters up to U+009F are escaped, and read back (security finding T1)")
  func controlCharactersOfLatin1() throws {
    let text = "a\u{7F}\u{80}\u{9B}31m\u{9F}\u{A0}°é"
    var line = JSONLine()
    line.line { $0.put("k", text) }
    let expected = #"{"k":"a\u007f\u0080\u009b31m\u009f"# + "\u{A0}°é\"}\n"
    #expect(String(decoding: line.bytes, as: UTF8.self) == expected)
    let object = try JSONObject(Array(line.bytes.dropLast()))
    #expect(object["k"].flatMap(object.string) == text)
  }

  @Test("Text before and after an escape is unchanged", arguments: ["", "é", "ab"], ["", "🫀", "yz"])
  func escapeWithin(before: String, after: String) {
    let text = line {
      $0.put("a", "plain")
      $0.put("b", before + "\\" + after + "\n" + after)
      $0.put("c", 1)
    }
    #expect(text == #"{"a":"plain","b":"\#(before)\\\#(after)\n\#(after)","c":1}"# + "\n")
  }

  @Test(arguments: [
    (0, "0"), (1, "0.0000000125"), (80_000_000, "1"), (40_000_000, "0.5"), (-1, "-0.0000000125"),
    (79_999_999_999_999_999, "999999999.9999999875"), (80_000_000_000_000_000, "1000000000"),
  ]) func secondsAreExact(ticks: Int64, text: String) {
    #expect(line { $0.put("s", seconds: SessionTime(ticks: ticks)) } == "{\"s\":\(text)}\n")
  }

  @Test func millisecondsAreExact() {
    let ticks: [Int64] = [78_125, 8, 65_023_124]
    #expect(line { $0.put("rr_ms", milliseconds: ticks) } == "{\"rr_ms\":[0.9765625,0.0001,812.78905]}\n")
  }

  @Test func linesAreAppendedAndTheBufferIsReused() {
    var lines = JSONLine()
    lines.line { $0.put("a", 1) }
    lines.line { _ in }
    #expect(String(decoding: lines.bytes, as: UTF8.self) == "{\"a\":1}\n{}\n")
    lines.clear()
    lines.line { $0.put("b", 2) }
    #expect(String(decoding: lines.bytes, as: UTF8.self) == "{\"b\":2}\n")
  }

  @Test func aLineThatThrowsAppendsNothing() {
    struct Stop: Error {}
    var lines = JSONLine()
    lines.line { $0.put("a", 1) }
    #expect(throws: Stop.self) {
      try lines.line {
        $0.put("b", 2)
        throw Stop()
      }
    }
    #expect(String(decoding: lines.bytes, as: UTF8.self) == "{\"a\":1}\n")
  }

  @Test func encodedValuesDecodeToThemselves() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let ticks = Int64.random(in: 0...(1 << 56), using: &random)
      let double = Double(bitPattern: .random(in: 0 ... .max, using: &random))
      let scalars = (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x300, using: &random)) }
      let text = String(String.UnicodeScalarView(scalars))
      var line = JSONLine()
      line.line {
        $0.put("s", seconds: SessionTime(ticks: ticks))
        $0.put("d", double)
        $0.put(text, text)
      }
      let object = try JSONObject(line.bytes)
      let seconds = try #require(object["s"].flatMap(object.number))
      #expect(seconds.ticks(perUnit: 80_000_000, limit: .max) == ticks)
      #expect(object["d"].flatMap(object.double) == (double.isFinite ? double : nil))
      var scanner = JSONScanner(line.bytes, line.bytes.indices)
      var last: JSONObject.Value?
      try scanner.wholeObject { _, value in last = value }
      #expect(last.flatMap(object.string) == text)
    }
  }
}
