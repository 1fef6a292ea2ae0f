import TestSupport
import Testing

@testable import JSONLines

@Suite struct JSONObjectTests {
  @Test func valuesOfEveryKindAreDecoded() throws {
    let object = try JSONObject(
      Array(
        #" {"s":"a\u00e9\ud83e\udec0\/","n":-1.5e2,"t":true,"z":null,"o":{"x":1},"a":[1,[2]],"\u0062":false} "#
          .utf8))
    #expect(object["s"].flatMap(object.string) == "aé🫀/")
    #expect(object["n"].flatMap(object.double) == -150)
    #expect(object["t"].flatMap(object.boolean) == true)
    #expect(object["b"].flatMap(object.boolean) == false, "a name with an escape")
    #expect(object["z"] == nil && object["missing"] == nil)
    #expect(object["a"].flatMap(object.elements)?.count == 2)
    let inner = try #require(object["o"].flatMap(object.object))
    #expect(inner["x"].flatMap(inner.number)?.mantissa == 1)
    #expect(object["s"].flatMap(object.number) == nil, "a string is no number")
    #expect(object["n"].flatMap(object.string) == nil)
  }

  @Test func theFirstOfSeveralMembersWithTheSameNameIsUsed() throws {
    let object = try JSONObject(Array(#"{"a":1,"a":2}"#.utf8))
    #expect(object["a"].flatMap(object.double) == 1)
  }

  @Test(arguments: [
    "", " ", "{", "}", "{}}", "{} {}", "[]", "1", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}",
    "{'a':1}",
    "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":tru}",
    "{\"a\":NaN}",
    "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\n\"}", "{\"a\":\"", "{\"a\":[1,]}", "{\"a\":[1 2]}",
    "{\"a\":1 \"b\":2}", "{\"a\":1}\u{0}",
  ]) func textThatIsNotAnObjectIsRejected(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONObject(Array(text.utf8)) }
  }

  @Test func deepNestingIsRejected() throws {
    let deep = { (n: Int) in
      Array(("{\"a\":" + String(repeating: "[", count: n) + String(repeating: "]", count: n) + "}").utf8)
    }
    #expect(throws: Never.self) { try JSONObject(deep(30)) }
    #expect(throws: JSONSyntaxError.self) { try JSONObject(deep(100_000)) }
    #expect(throws: JSONSyntaxError.self) {
      try JSONObject(Array(String(repeating: "{\"a\":", count: 100_000).utf8))
    }
  }

  @Test(arguments: [#""\ud800""#, #""\ud800x""#, #""\udc00""#, #""\ud800\u0041""#])
  func anUnpairedSurrogateGivesNoString(string: String) throws {
    let object = try JSONObject(Array("{\"a\":\(string)}".utf8))
    #expect(object["a"].flatMap(object.string) == nil)
  }

  @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80, 0x41], [0xC0, 0xAF]] as [[UInt8]])
  func invalidUTF8GivesNoString(bytes: [UInt8]) throws {
    let object = try JSONObject(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8))
    #expect(object["a"].flatMap(object.string) == nil)
  }

  @Test func anyBytesParseOrThrow() {
    var random = SeededGenerator(seed: 7)
    let seed = Array(
      #"{"type":"link","monotonic_s":1.5e0,"a":[{"b":"\u00e9"},null,true],"hex":"1634e404"}"#.utf8)
    var passed = 0
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(seed.randomElement(using: &random) ?? 0, at: at)
        }
      }
      guard let object = try? JSONObject(bytes) else { continue }
      passed += 1
      for name in ["type", "monotonic_s", "a", "hex"] {
        guard let value = object[name] else { continue }
        _ = (object.string(value), object.number(value), object.double(value), object.elements(value))
      }
    }
    #expect(passed > 100 && passed < 19_000)
  }
}

@Suite struct DecimalNumberTests {
  @Test(arguments: [
    ("0", 0), ("1", 80_000), ("812.3", 64_984_000), ("0.0001", 8), ("812,3", 64_984_000), ("+5", 400_000),
    ("8.123e+02", 64_984_000), ("8.138889000000000351e+02", 65_111_112),
    ("695.312500000000000000", 55_625_000),
    ("0.000006", 0), ("0.00000625", 1), ("0.0000062499999", 0), ("1e-30", 0), ("1e-999", 0), ("12.", 960_000),
    (".5", 40_000), ("-0", 0), ("0000000000000000000000001", 80_000), ("1e3", 80_000_000),
    ("0.00000000000000000000000000000000000001", 0), ("100000000000000000000e-20", 80_000),
  ]) func numbersAreRoundedToTheNearestTick(text: String, ticks: Int64) {
    #expect(DecimalNumber(Array(text.utf8)[...])?.ticks(perUnit: 80_000, limit: .max) == ticks)
  }

  @Test(arguments: [
    "", "-", ".", ",", "e5", "1e", "1e1234", "1.2.3", "1,2.3", "--1", "1 ", "0x1F", "nan", "1e+", "1-",
  ])
  func textThatIsNotANumberIsRejected(text: String) {
    #expect(DecimalNumber(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: ["-1", "-0.1", "1e99", "1e999", "999999999999999999", "99999999999999999999999999"])
  func numbersBeyondTheLimitAreNil(text: String) {
    #expect(DecimalNumber(Array(text.utf8)[...])?.ticks(perUnit: 80_000, limit: .max) == nil)
  }

  @Test func decimalsEqualTheirExactDoubles() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      let tenThousandths = Int64.random(in: 0..<100_000_000, using: &random)
      let digits = String(tenThousandths % 10_000 + 10_000).dropFirst()
      let text = "\(tenThousandths / 10_000).\(digits)"
      #expect(DecimalNumber(Array(text.utf8)[...])?.ticks(perUnit: 80_000, limit: .max) == tenThousandths * 8)
    }
  }
}
