extension Unicode.Scalar {
  /// Whether the character must not reach a terminal, a page or a file name: control characters, including tabs and line
  /// feeds, format characters such as bidirectional overrides and isolates, separators of lines, and private use.
  ///
  /// The zero-width joiners U+200C and U+200D are printable: emoji sequences and several scripts consist of them.
  package var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: true
    case .format: !properties.isJoinControl
    default: false
    }
  }
}

extension String {
  /// Text from outside of the program for use in a line of a message: unprintable characters are replaced by U+FFFD.
  package var withoutControlCharacters: String {
    // Looking up Unicode properties would take most of the time of a long table.
    isPlainASCII ? self : replacingUnprintable { _ in false }
  }

  /// Whether all characters are printable ASCII, of width 1.
  package var isPlainASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  /// A message of several lines: unprintable characters other than line feeds and tabs are replaced by U+FFFD.
  package var withoutControlCharactersInLines: String {
    isPlainASCII ? self : replacingUnprintable { $0 == "\n" || $0 == "\t" }
  }

  /// Text of several lines, such as a note, in its stored form: without white space at its ends, and with unprintable
  /// characters replaced by U+FFFD. Tabs are kept, and each line ends with a line feed.
  package var asPlainNote: String {
    let lines = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    let plain = lines.withoutControlCharactersInLines
    guard let first = plain.firstIndex(where: { !$0.isWhitespace }),
      let last = plain.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(plain[first...last])
  }

  private func replacingUnprintable(except isKept: (Unicode.Scalar) -> Bool) -> String {
    String(UnicodeScalarView(unicodeScalars.map { $0.isUnprintable && !isKept($0) ? "\u{FFFD}" : $0 }))
  }
}

/// The longest texts that are accepted from files, synchronised folders and the radio. Longer ones are cut when they enter.
package enum TextLimit {
  /// Characters of the name of a profile, of at most four code points each on average.
  package static let profile = 64
  /// Bytes of the name of a strap in UTF-8, the limit of Bluetooth (Core Specification 5.4, volume 3 part C, section 12.1).
  package static let strapName = 248
  /// Code points of a mark: a note of 500 and the number of the mark.
  package static let mark = 520
}

extension String {
  /// The nearest valid name of a profile: printable, at most ``TextLimit/profile`` characters. An empty text has none.
  package var asProfileName: String? {
    // In this order: a replaced line break is two characters.
    let shown = String(withoutControlCharacters.prefix(TextLimit.profile)).limited(to: 4 * TextLimit.profile)
    return shown.isEmpty ? nil : shown
  }

  /// The name of a stored profile for display, which also selects it.
  package var displayedProfileName: String { asProfileName ?? "\u{FFFD}" }

  /// The name of a strap: printable, at most ``TextLimit/strapName`` bytes.
  package var asStrapName: String {
    var name = withoutControlCharacters.limited(to: TextLimit.strapName)
    while name.utf8.count > TextLimit.strapName { name.unicodeScalars.removeLast() }
    return name
  }

  /// The first `count` code points.
  package func limited(to count: Int) -> String {
    utf8.count <= count ? self : String(UnicodeScalarView(unicodeScalars.prefix(count)))
  }

  /// The text as a field of comma-separated values (RFC 4180).
  ///
  /// Line feeds and tabs are kept, and other unprintable characters are replaced. Spreadsheets evaluate a cell that begins with
  /// `=`, `+`, `-` or `@`, or with a tab or line break before them, so such a text begins with an apostrophe (OWASP, CSV
  /// Injection). A text of apostrophes before such a character gets another one, which makes the prefix reversible.
  package var csvField: String {
    let plain = plainCell
    let text = plain.isFormula ? "'" + plain : plain
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    // Byte by byte, because a quotation mark with a combining mark is one character.
    let quote = UInt8(ascii: "\"")
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }

  /// The text that a cell shows: lines end with a line feed.
  package var plainCell: String {
    isPlainASCII ? self : replacing("\r\n", with: "\n").withoutControlCharactersInLines
  }

  /// The text of a cell without the apostrophe that ``csvField`` adds.
  package var withoutFormulaPrefix: String {
    utf8.first == UInt8(ascii: "'") && isFormula ? String(dropFirst()) : self
  }

  private var isFormula: Bool {
    utf8.first { $0 != UInt8(ascii: "'") }.map { "=+-@\t\r\n".utf8.contains($0) } ?? false
  }
}
