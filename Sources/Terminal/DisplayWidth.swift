import Platform

extension String {
  /// Width on a terminal in columns: combining marks and escape sequences of ``TerminalStyle`` have width 0, East Asian wide
  /// characters and emoji width 2.
  package var columns: Int {
    guard !isPlainASCII else { return utf8.count }
    var columns = 0
    var inEscape = false
    for scalar in unicodeScalars {
      if scalar == "\u{1B}" {
        inEscape = true
      } else if inEscape {
        inEscape = scalar != "m"
      } else {
        columns += scalar.columns
      }
    }
    return columns
  }

  /// The text padded with spaces to `width` columns.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// The text right-aligned in `width` columns.
  package func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - columns)) + self
  }

  /// The text truncated to `width` columns; "…" (in ASCII "~") marks a truncation. Ends with the escape sequence that resets
  /// the style if the text has one.
  package func clipped(to width: Int, unicode: Bool = true) -> String {
    guard columns > width, width > 0 else { return width > 0 ? self : "" }
    var kept = ""
    var used = 0
    var inEscape = false
    for scalar in unicodeScalars {
      inEscape = inEscape || scalar == "\u{1B}"
      if !inEscape {
        used += scalar.columns
        if used > width - 1 { break }
      }
      kept.unicodeScalars.append(scalar)
      if scalar == "m" { inEscape = false }
    }
    return kept + (unicode ? "…" : "~") + (contains("\u{1B}") ? "\u{1B}[0m" : "")
  }

  /// Wraps text without styling between words into lines of at most `width` columns; a longer word is clipped.
  package func wrapped(to width: Int, unicode: Bool = true) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.columns + 1 + String(word).columns <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { $0.clipped(to: width, unicode: unicode) }
  }

  /// The text with control characters replaced, because the name of a strap must not control the terminal.
  package var printable: String { withoutControlCharacters }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    // Box drawing, block and braille characters, of which charts consist, also need no look-up.
    guard !(0x20..<0x7F).contains(value), !(0x2500..<0x2900).contains(value) else { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide ? 2 : 1
    }
  }

  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
