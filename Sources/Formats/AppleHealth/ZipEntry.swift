import Platform

/// The directory entry of a file in a zip archive.
///
/// minizip 1.1 is not used, because it ignores the 64-bit sizes of entries of 4 GiB and more
/// on 64-bit systems.
///
/// Source: PKWARE, APPNOTE.TXT, .ZIP File Format Specification, version 6.3.
struct ZipEntry {
  static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  private enum Signature {
    static let directoryEntry: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let end64: UInt32 = 0x0606_4B50
    static let end64Locator: UInt32 = 0x0706_4B50
  }

  private static let endLength = 22
  private static let longestComment = 65_535
  private static let largestDirectory = 256 << 20

  let source: ByteSource
  let name: String
  let method: UInt16
  let isEncrypted: Bool
  let crc: UInt32
  let compressedSize: Int
  let size: Int
  private let headerOffset: Int

  /// The data document of an Apple Health archive: the largest file with the suffix .xml that is not a clinical document. Its
  /// name depends on the phone's language.
  static func document(in source: ByteSource) throws -> ZipEntry {
    let entries = try entries(of: source).filter { entry in
      let name = entry.name.lowercased()
      return name.hasSuffix(".xml") && !name.hasSuffix("cda.xml")
    }
    guard let largest = entries.max(by: { $0.size < $1.size }) else {
      throw malformed("the archive has no XML document in it", at: 0, source)
    }
    return largest
  }

  /// Offset of the data in the archive.
  func dataOffset() throws -> Int {
    let header = try source.read(at: headerOffset, count: 30)
    guard header.count == 30, header.starts(with: Self.magic) else {
      throw Self.malformed(
        "the header of \(name.withoutControlCharacters) is expected here", at: headerOffset, source)
    }
    return headerOffset + 30 + Int(header.littleEndian16(at: 26)) + Int(header.littleEndian16(at: 28))
  }

  private static func entries(of source: ByteSource) throws -> [ZipEntry] {
    guard let fileSize = source.size else {
      throw malformed(
        "an archive can be read from a file only; unpack it and give the document", at: 0, source)
    }
    let (offset, length) = try directory(source, fileSize)
    guard offset >= 0, length >= 0, length <= largestDirectory, offset <= fileSize - length else {
      throw malformed("the directory of the archive lies outside of it", at: fileSize, source)
    }
    var rest = try whole(source, offset, length)[...]
    var entries: [ZipEntry] = []
    while rest.count >= 46 {
      let record = Array(rest.prefix(46))
      let lengths = [28, 30, 32].map { Int(record.littleEndian16(at: $0)) }
      guard record.littleEndian32(at: 0) == Signature.directoryEntry, rest.count >= 46 + lengths.reduce(0, +)
      else { throw malformed("an entry of the directory is expected", at: offset + rest.startIndex, source) }
      let name = rest.dropFirst(46).prefix(lengths[0])
      let extra = Array(rest.dropFirst(46 + lengths[0]).prefix(lengths[1]))
      entries.append(ZipEntry(source, record, name: String(decoding: name, as: UTF8.self), extra: extra))
      rest = rest.dropFirst(46 + lengths.reduce(0, +))
    }
    return entries
  }

  private init(_ source: ByteSource, _ record: [UInt8], name: String, extra: [UInt8]) {
    self.source = source
    self.name = name
    isEncrypted = record.littleEndian16(at: 8) & 1 != 0
    method = record.littleEndian16(at: 10)
    crc = record.littleEndian32(at: 16)
    // Numbers of more than 32 bits are in extra field 1 (ZIP64), in this order.
    var wide = Self.wideNumbers(extra)[...]
    func number(_ index: Int) -> Int {
      let narrow = record.littleEndian32(at: index)
      return narrow == .max ? wide.popFirst() ?? Int(narrow) : Int(narrow)
    }
    size = number(24)
    compressedSize = number(20)
    headerOffset = number(42)
  }

  private static func wideNumbers(_ extra: [UInt8]) -> [Int] {
    var index = 0
    while index + 4 <= extra.count {
      let length = Int(extra.littleEndian16(at: index + 2))
      guard index + 4 + length <= extra.count else { return [] }
      if extra.littleEndian16(at: index) == 1 {
        return stride(from: index + 4, through: index + 4 + length - 8, by: 8).map { wide(extra, $0) }
      }
      index += 4 + length
    }
    return []
  }

  private static func wide(_ bytes: [UInt8], _ index: Int) -> Int {
    Int(clamping: UInt64(bytes.littleEndian32(at: index + 4)) << 32 | UInt64(bytes.littleEndian32(at: index)))
  }

  /// Position of the directory, from the record at the end of the archive.
  private static func directory(
    _ source: ByteSource, _ fileSize: Int
  ) throws -> (offset: Int, length: Int) {
    let start = max(0, fileSize - endLength - longestComment)
    let tail = try whole(source, start, fileSize - start)
    var place = tail.count - endLength
    while place >= 0, tail.littleEndian32(at: place) != Signature.end { place -= 1 }
    guard place >= 0 else {
      throw malformed("the archive is cut off: its directory is missing", at: fileSize, source)
    }
    if place >= 20, tail.littleEndian32(at: place - 20) == Signature.end64Locator {
      let record = try source.read(at: wide(tail, place - 12), count: 56)
      guard record.count == 56, record.littleEndian32(at: 0) == Signature.end64 else {
        throw malformed(
          "the directory of the archive is not where it should be", at: start + place - 20, source)
      }
      return (wide(record, 48), wide(record, 40))
    }
    return (Int(tail.littleEndian32(at: place + 16)), Int(tail.littleEndian32(at: place + 12)))
  }

  private static func whole(_ source: ByteSource, _ offset: Int, _ length: Int) throws
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    while bytes.count < length {
      let more = try source.read(at: offset + bytes.count, count: length - bytes.count)
      guard !more.isEmpty else { throw malformed("the archive ends early", at: offset + bytes.count, source) }
      bytes += more
    }
    return bytes
  }

  static func malformed(_ why: String, at offset: Int, _ source: ByteSource) -> FormatError {
    FormatError(.malformed(.appleHealth, .byte(offset), why), path: source.path)
  }
}
