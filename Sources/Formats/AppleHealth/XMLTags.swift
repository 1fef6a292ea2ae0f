import Glibc
import Platform

/// A source of chunks of bytes.
protocol ByteChunks {
  /// The next chunk; empty at the end.
  mutating func nextChunk() throws -> ArraySlice<UInt8>
}

extension ByteStream: ByteChunks {}

/// A tag of an XML document.
struct XMLTag {
  /// The name; an end tag has a slash before it.
  let name: String
  /// Whether the tag is an empty element (`<a/>`).
  let isEmpty: Bool
  fileprivate let text: String

  /// The value of an attribute, with the five predefined entities decoded.
  subscript(attribute: String) -> String? {
    var rest = text[...]
    while let found = rest.range(of: attribute + "=") {
      let quote = rest[found.upperBound...].first
      let isWhole =
        found.lowerBound == rest.startIndex || rest[rest.index(before: found.lowerBound)].isWhitespace
      rest = rest[found.upperBound...].dropFirst()
      guard isWhole, let quote, quote == "\"" || quote == "'" else { continue }
      return Self.plain(rest.prefix { $0 != quote })
    }
    return nil
  }

  private static func plain(_ value: Substring) -> String {
    guard value.contains("&") else { return String(value) }
    var plain = String(value)
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ] {
      plain = plain.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return plain
  }
}

/// Finds tags by name in an XML document and skips everything else, including comments.
///
/// Defines no entities and loads nothing, so memory is limited by the longest tag (1 MiB).
struct XMLTags {
  private var chunks: any ByteChunks
  private let source: ByteSource
  private var buffer: [UInt8] = []
  private var index = 0
  /// Offset of the buffer in the document.
  private var base = 0
  private var isAtEnd = false

  /// Limit of a tag in bytes, far above the tags of the export.
  private static let longestTag = 1 << 20
  private static let comment = Array("!--".utf8)

  init(_ chunks: some ByteChunks, _ source: ByteSource) {
    self.chunks = chunks
    self.source = source
  }

  /// The next tag with one of these names; nil at the end.
  mutating func next(named names: [String]) throws -> XMLTag? {
    while try find(UInt8(ascii: "<")) {
      index += 1
      guard try fill(32) > 0 else { return nil }
      if buffer[index...].starts(with: Self.comment) {
        try skipComment()
      } else if let name = names.first(where: matches) {
        return try tag(name)
      }
    }
    return nil
  }

  func malformed(_ why: String) -> FormatError {
    FormatError(.malformed(.appleHealth, .byte(base + index), why), path: source.path)
  }

  private func matches(_ name: String) -> Bool {
    let rest = buffer[index...]
    guard rest.starts(with: name.utf8), let after = rest.dropFirst(name.utf8.count).first else {
      return false
    }
    return after <= 0x20 || after == UInt8(ascii: ">") || after == UInt8(ascii: "/")
  }

  /// The tag at `index`, up to the first `>` outside quotation marks.
  private mutating func tag(_ name: String) throws -> XMLTag {
    var length = name.utf8.count
    var quote: UInt8?
    while true {
      if index + length >= buffer.count, try fill(length + 1) <= length {
        throw malformed("the document ends within a tag")
      }
      let byte = buffer[index + length]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      length += 1
      guard length < Self.longestTag else { throw malformed("a tag longer than \(Self.longestTag) bytes") }
    }
    let text = buffer[(index + name.utf8.count)..<(index + length)]
    index += length + 1
    return XMLTag(
      name: name, isEmpty: text.last == UInt8(ascii: "/"), text: String(decoding: text, as: UTF8.self))
  }

  private mutating func skipComment() throws {
    index += Self.comment.count
    while try find(UInt8(ascii: "-")) {
      guard try fill(3) >= 3 else { break }
      if buffer[index...].starts(with: "-->".utf8) { return }
      index += 1
    }
    throw malformed("the document ends within a comment")
  }

  /// Moves to the next occurrence of `byte`. Returns false if there is none.
  private mutating func find(_ byte: UInt8) throws -> Bool {
    repeat {
      if let found = place(of: byte) {
        index = found
        return true
      }
      index = buffer.count
    } while try fill(1) > 0
    return false
  }

  private func place(of byte: UInt8) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard index < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + index, CInt(byte), bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Fills the buffer with at least `count` bytes from `index`, unless the document ends. Returns how many there are.
  private mutating func fill(_ count: Int) throws -> Int {
    while buffer.count - index < count, !isAtEnd {
      let chunk = try chunks.nextChunk()
      isAtEnd = chunk.isEmpty
      base += index
      buffer.removeFirst(index)
      index = 0
      buffer += chunk
    }
    return buffer.count - index
  }
}

extension Substring {
  /// The first occurrence of `words`.
  fileprivate func range(of words: String) -> Range<Index>? {
    var start = startIndex
    while let first = self[start...].firstIndex(where: { $0 == words.first }) {
      if self[first...].hasPrefix(words) { return first..<index(first, offsetBy: words.count) }
      start = index(after: first)
    }
    return nil
  }
}
