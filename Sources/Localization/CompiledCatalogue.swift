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

  /// Fails if the file cannot be read or is not a little-endian catalogue, which is the default of msgfmt.
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
    unsafe file.bytes.withUnsafeBytes { bytes in
      var range = 0..<count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        guard let text = file.text(texts + 8 * middle), let base = bytes.baseAddress else { return nil }
        // A text with a plural is compared up to its first NUL.
        let order = unsafe key.withCString { key in
          unsafe strcmp(key, (base + text.lowerBound).assumingMemoryBound(to: CChar.self))
        }
        if order == 0 {
          return file.text(translations + 8 * middle).map { translation in
            file.bytes[translation].split(separator: 0, omittingEmptySubsequences: false).map {
              String(decoding: $0, as: UTF8.self)
            }
          }
        }
        range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
      }
      return nil
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var status = stat()
    guard unsafe fstat(fileno(file), &status) == 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }

  /// The 32-bit words of the file.
  private struct Words {
    let bytes: [UInt8]

    subscript(offset: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - 4 else { return nil }
      return unsafe bytes.withUnsafeBytes {
        Int(UInt32(littleEndian: unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      }
    }

    /// The range of the text of an entry of a table, which a NUL follows.
    func text(_ entry: Int) -> Range<Int>? {
      guard let length = self[entry], let start = self[entry + 4], start < bytes.count,
        length < bytes.count - start, bytes[start + length] == 0
      else { return nil }
      return start..<start + length
    }
  }
}
