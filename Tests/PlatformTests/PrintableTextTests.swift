import Platform
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("Polar\u{1B}[2J\tH10\n", "Polar\u{FFFD}[2J\u{FFFD}H10\u{FFFD}"),
    ("a\u{202E}b\u{2066}c\u{2069}d\u{200B}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}"),
    ("👩‍🔬 می‌خواهم", "👩‍🔬 می‌خواهم"),
  ])
  func messagesContainNoControlCharacters(text: String, expected: String) {
    #expect(text.withoutControlCharacters == expected)
  }

  @Test(arguments: [
    (" \n tea\twith\r\nmilk\rand bread \n", "tea\twith\nmilk\nand bread"), ("\u{07}", "\u{FFFD}"),
    (" \r\n ", ""),
    ("a\u{2067}b", "a\u{FFFD}b"), ("👨‍👩‍👧", "👨‍👩‍👧"),
  ])
  func notesKeepTabsAndLines(text: String, expected: String) { #expect(text.asPlainNote == expected) }
}

/// Security finding T1: texts of files, folders and the radio are limited when they enter, and contain no control characters.
@Suite struct TextLimitTests {
  @Test(arguments: [
    ("anna", "anna"), ("\u{1B}[31m\u{202E}a", "\u{FFFD}[31m\u{FFFD}a"),
    (String(repeating: "é", count: 500_000), String(repeating: "é", count: 64)), ("👩‍🔬", "👩‍🔬"),
  ])
  func profilesHavePrintableNames(text: String, name: String) { #expect(text.asProfileName == name) }

  @Test func anEmptyNameIsNoName() {
    #expect("".asProfileName == nil && "".displayedProfileName == "\u{FFFD}")
    let combining = ("a" + String(repeating: "\u{301}", count: 500_000)).asProfileName ?? ""
    #expect(combining.unicodeScalars.count == 256)
  }

  @Test(arguments: [
    ("Polar H10", "Polar H10"), ("\u{9B}2J", "\u{FFFD}2J"),
    (String(repeating: "é", count: 200), String(repeating: "é", count: 124)),
  ])
  func strapsHavePrintableNames(text: String, name: String) { #expect(text.asStrapName == name) }

  @Test(
    "A field of a table begins with no formula (security finding W10)",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(1)", "'@SUM(1)"), ("\t=1", "'\t=1"),
      ("'=1", "''=1"), ("anna", "anna"), ("'anna", "'anna"), ("a=1", "a=1"), ("", ""),
    ])
  func formulas(text: String, field: String) {
    #expect(text.csvField == field)
    #expect(field.withoutFormulaPrefix == text)
  }

  @Test func fieldsAreQuotedAndPrintable() {
    #expect("a,\"b\"".csvField == "\"a,\"\"b\"\"\"")
    #expect("\u{1B}[2J\r\n=1".csvField == "\"\u{FFFD}[2J\n=1\"")
    #expect("=HYPERLINK(\"x\",\"y\")".csvField == "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"")
  }
}
