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
  package var withoutControlCharacters: String { replacingUnprintable { _ in false } }

  /// Text of several lines, such as a note, in its stored form: without white space at its ends, and with unprintable
  /// characters replaced by U+FFFD. Tabs are kept, and each line ends with a line feed.
  package var asPlainNote: String {
    let lines = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    let plain = lines.replacingUnprintable { $0 == "\n" || $0 == "\t" }
    guard let first = plain.firstIndex(where: { !$0.isWhitespace }),
      let last = plain.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(plain[first...last])
  }

  private func replacingUnprintable(except isKept: (Unicode.Scalar) -> Bool) -> String {
    String(UnicodeScalarView(unicodeScalars.map { $0.isUnprintable && !isKept($0) ? "\u{FFFD}" : $0 }))
  }
}
