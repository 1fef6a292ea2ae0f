extension String {
  /// The text transliterated to ASCII: letters without accents (German umlauts as two letters), ASCII quotation marks and
  /// dashes, `?` for everything else.
  package var inASCII: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    return String(unicodeScalars.map { $0.isASCII ? String($0) : Self.asciiForms[$0] ?? "?" }.joined())
  }

  private static let asciiForms: [Unicode.Scalar: String] = {
    var forms: [Unicode.Scalar: String] = [
      "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "œ": "oe", "Œ": "Oe",
      "æ": "ae", "ñ": "n", "Ñ": "N", "ç": "c", "Ç": "C", "¿": "", "¡": "", "«": "\"", "»": "\"", "„": "\"",
      "“": "\"", "”": "\"", "’": "'", "‘": "'", "–": "-", "—": "-", "…": "...", "·": "-", "\u{A0}": " ",
      "\u{202F}": " ",
    ]
    for (plain, accented) in [
      ("a", "áàâã"), ("e", "éèêë"), ("i", "íìîï"), ("o", "óòôõ"), ("u", "úùû"), ("y", "ýÿ"),
    ] {
      for scalar in accented.unicodeScalars {
        forms[scalar] = plain
        for upper in String(scalar).uppercased().unicodeScalars { forms[upper] = plain.uppercased() }
      }
    }
    return forms
  }()
}
