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
