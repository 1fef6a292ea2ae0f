import JSONLines
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording

/// Synthetic archives of Apple Health.
@Suite struct ZipTests {
  private static let document = """
    <HealthData><Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" startDate="2026-06-01 07:30:00 +0200">\
    <InstantaneousBeatsPerMinute bpm="60" time="7:30:01.00"/></Record></HealthData>
    """

  /// CRC-32 of zip: polynomial 0x04C11DB7, reflected.
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }

  private static func bytes(_ numbers: (any FixedWidthInteger)...) -> [UInt8] {
    numbers.flatMap { number in
      (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: Int(number) >> (8 * $0)) }
    }
  }

  /// One stored entry; `isWide` writes its sizes and the offset of the directory in 64 bits (ZIP64).
  private static func archive(
    name: String = "a/export.xml", isWide: Bool = false, method: UInt16 = 0, flags: UInt16 = 0,
    crc: UInt32? = nil
  ) -> [UInt8] {
    let data = Array(document.utf8)
    let sum = crc ?? Self.crc(data)
    let length = UInt32(data.count)
    var file: [UInt8] = ZipEntry.magic
    file += bytes(UInt16(20), flags, method, UInt16(0), UInt16(0), sum, length, length)
    file += bytes(UInt16(name.utf8.count), UInt16(0)) + name.utf8 + data
    let directory = file.count
    let narrow: UInt32 = isWide ? .max : length
    let extra =
      isWide
      ? bytes(UInt16(7), UInt16(1)) + [9]
        + bytes(UInt16(1), UInt16(24), Int64(length), Int64(length), Int64(0)) : []
    file += bytes(UInt32(0x0201_4B50), UInt16(20), UInt16(20), flags, method, UInt16(0), UInt16(0), sum)
    file += bytes(
      narrow, narrow, UInt16(name.utf8.count), UInt16(extra.count), UInt16(0), UInt16(0), UInt16(0))
    file += bytes(UInt32(0), isWide ? UInt32.max : UInt32(0)) + name.utf8 + extra
    let size = file.count - directory
    if isWide {
      let record = file.count
      file += bytes(
        UInt32(0x0606_4B50), Int64(44), UInt16(45), UInt16(45), UInt32(0), UInt32(0), Int64(1), Int64(1))
      file += bytes(Int64(size), Int64(directory), UInt32(0x0706_4B50), UInt32(0), Int64(record), UInt32(1))
    }
    file += bytes(UInt32(0x0605_4B50), UInt16(0), UInt16(0), UInt16(1), UInt16(1))
    file +=
      bytes(isWide ? UInt32.max : UInt32(size), isWide ? UInt32.max : UInt32(directory), UInt16(3)) + [
        1, 2, 3,
      ]
    return file
  }

  private func sessions(_ archive: [UInt8]) throws -> Int {
    let scratch = try Scratch()
    guard case .other(let file) = try OpenedFile(path: try scratch.file(archive)) else { return 0 }
    var count = 0
    try file.sessions { _ in count += 1 }
    return count
  }

  @Test(arguments: [false, true]) func storedEntriesAreRead(isWide: Bool) throws {
    #expect(try sessions(Self.archive(isWide: isWide)) == 1)
  }

  @Test(arguments: [
    (Self.archive(method: 14), "method 14"), (Self.archive(flags: 1), "encrypted"),
    (Self.archive(crc: 1), "differ"),
    (Self.archive(name: "a/export_cda.xml"), "no XML document"),
    (Self.archive(name: "route.gpx"), "no XML document"),
    (Array(Self.archive().dropLast(4)), "directory is missing"),
    (Array(Self.archive().dropFirst(200)), ""),
  ]) func malformedArchiveIsRejectedWithItsReason(archive: [UInt8], words: String) throws {
    let scratch = try Scratch()
    let path = try scratch.file(archive)
    do {
      guard case .other(let file) = try OpenedFile(path: path, format: .appleHealth) else { return }
      try file.sessions { _ in }
      Issue.record("no error")
    } catch let error as FormatError {
      #expect("\(error)".contains(words), "\(error)")
    }
  }

  @Test("A truncated or changed archive is rejected or read correctly") func spoiled() throws {
    let whole = try contents(of: fixture("formats/export.zip"))
    let scratch = try Scratch()
    for place in stride(from: 0, to: whole.count, by: 37) {
      var changed = whole
      changed[place] ^= 0x55
      for bytes in [changed, Array(whole.prefix(place + 1))] {
        let path = try scratch.file(bytes)
        do {
          guard case .other(let file) = try OpenedFile(path: path, format: .appleHealth) else { continue }
          try file.sessions { #expect($0.beats == 60) }
        } catch is FormatError {}
      }
    }
  }
}
