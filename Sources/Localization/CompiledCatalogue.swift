import Glibc

/// The translations of a compiled gettext catalogue (.mo), sorted by their texts.
///
/// They are read without gettext, which selects the language by variables of the process and by installed locales: a server
/// answers in several languages at once, and containers have no locales.
///
///     0  magic 0x950412DE          8  number of texts        16  offset of the table of translations
///     4  revision                 12  offset of the table of texts; each entry has a length and an offset
///
/// A text with a plural is `one NUL many`; its translation has its forms in the same format.
struct CompiledCatalogue: Sendable {
  private let file: Words
  private let count: Int
  private let texts: Int
  private let translations: Int
  /// Whether 0 has the singular form, as in French.
  private var zeroIsSingular = false

  /// Fails if the file cannot be read, is not a catalogue in the byte order of this machine, or is damaged.
  init?(path: String) {
    guard let bytes = Self.read(path) else { return nil }
    self.init(bytes)
  }

  /// A damaged entry is detected when it is looked up, and has no translation.
  init?(_ bytes: [UInt8]) {
    file = Words(bytes: bytes)
    guard file[0] == 0x9504_12DE, let count = file[8], let texts = file[12], let translations = file[16],
      count <= bytes.count / 8, file.text(texts) != nil, file.text(translations) != nil
    else { return nil }
    (self.count, self.texts, self.translations) = (count, texts, translations)
    zeroIsSingular = forms(of: "")?.first?.contains("plural=(n > 1)") ?? false
  }

  /// The translation, in the plural form for `count`.
  func text(_ key: String, _ plural: (key: String, count: Int)?) -> String? {
    guard !key.isEmpty, let found = forms(of: key) else { return nil }
    guard let count = plural?.count.magnitude else { return found.first }
    guard found.count == 2 else { return nil }
    return count == 1 || (count == 0 && zeroIsSingular) ? found[0] : found[1]
  }

  /// Searches the sorted texts.
  private func forms(of key: String) -> [String]? {
    let wanted = Array(key.utf8)
    var range = 0..<count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      guard let text = file.text(texts + 8 * middle)?.prefix(while: { $0 != 0 }) else { return nil }
      if text.elementsEqual(wanted) {
        let forms = file.text(translations + 8 * middle)?.split(
          separator: 0, omittingEmptySubsequences: false)
        return forms?.map { String(decoding: $0, as: UTF8.self) }
      }
      range =
        text.lexicographicallyPrecedes(wanted) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The 32-bit words of the file.
  private struct Words {
    let bytes: [UInt8]

    subscript(offset: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - 4 else { return nil }
      return Int((0..<4).reduce(0 as UInt32) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) })
    }

    /// The text of an entry of a table.
    func text(_ entry: Int) -> ArraySlice<UInt8>? {
      guard let length = self[entry], let start = self[entry + 4], start <= bytes.count,
        length <= bytes.count - start
      else { return nil }
      return bytes[start..<start + length]
    }
  }
}
