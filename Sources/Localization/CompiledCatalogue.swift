import Glibc

/// The translations of a compiled gettext catalogue (.mo), read without gettext: a process that answers in several languages at
/// once cannot use gettext, which selects the language by variables of the process.
///
///     0  magic 0x950412DE          8  number of texts        16  offset of the table of translations
///     4  revision                 12  offset of the table of texts; each entry has a length and an offset
///
/// A text with a plural is `one NUL many`; its translation has its forms in the same format.
struct CompiledCatalogue: Sendable {
  private var forms: [String: [String]] = [:]
  /// Whether 0 has the singular form, as in French.
  private var zeroIsSingular = false

  /// Fails if the file cannot be read, is not a catalogue in the byte order of this machine, or is damaged.
  init?(path: String) {
    guard let bytes = Self.read(path) else { return nil }
    self.init(bytes)
  }

  init?(_ bytes: [UInt8]) {
    let file = Words(bytes: bytes)
    guard file[0] == 0x9504_12DE, let count = file[8], let texts = file[12], let translations = file[16],
      count <= bytes.count / 8
    else { return nil }
    for index in 0..<count {
      guard let key = file.text(texts + 8 * index), let translation = file.text(translations + 8 * index)
      else { return nil }
      let parts = key.split(separator: "\0", omittingEmptySubsequences: false)
      forms[String(parts[0])] = translation.split(separator: "\0", omittingEmptySubsequences: false).map(
        String.init)
    }
    zeroIsSingular = forms[""]?.first?.contains("plural=(n > 1)") ?? false
  }

  /// The translation, in the plural form for `count`; the text itself without one.
  func text(_ key: String, _ plural: (key: String, count: Int)?) -> String {
    let found = key.isEmpty ? nil : forms[key]
    guard let plural else { return found?.first ?? key }
    let count = plural.count.magnitude
    guard let found, found.count == 2 else { return count == 1 ? key : plural.key }
    return count == 1 || (count == 0 && zeroIsSingular) ? found[0] : found[1]
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
    func text(_ entry: Int) -> String? {
      guard let length = self[entry], let start = self[entry + 4], start <= bytes.count,
        length <= bytes.count - start
      else { return nil }
      return String(decoding: bytes[start..<start + length], as: UTF8.self)
    }
  }
}
