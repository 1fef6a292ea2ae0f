import Testing

@testable import Formats

@Suite struct InflaterTests {
  /// A deflate stream of `count` equal bytes.
  private func packed(_ count: Int) throws -> [UInt8] {
    let encoder = GzipEncoder()
    var bytes: [UInt8] = []
    try encoder.write(Array(repeating: 7, count: count)) { bytes += $0 }
    try encoder.finish { bytes += $0 }
    // The header of gzip without a file name has 10 bytes; the checksum and the length after the data have 8.
    return Array(bytes.dropFirst(10).dropLast(8))
  }

  private func inflated(_ data: [UInt8], chunkLength: Int) throws -> [UInt8] {
    let inflater = try #require(Inflater(.deflate, chunkLength: chunkLength))
    var rest = data[...]
    var output: [UInt8] = []
    while !inflater.isComplete {
      if inflater.needsInput {
        try #require(!rest.isEmpty, "the input ends before the output")
        inflater.supply(Array(rest.prefix(chunkLength)))
        rest = rest.dropFirst(chunkLength)
      }
      output += try #require(inflater.next())
    }
    return output
  }

  @Test("Output that remains when all input is consumed is returned", arguments: [16, 64, 256])
  func remainingOutput(chunkLength: Int) throws {
    for count in 1...600 {
      let output = try inflated(try packed(count), chunkLength: chunkLength)
      #expect(output == Array(repeating: 7, count: count))
    }
  }

  @Test("Damaged data are reported") func damaged() throws {
    let inflater = try #require(Inflater(.gzip, chunkLength: 64))
    inflater.supply(Array("no gzip file".utf8))
    #expect(inflater.next() == nil)
  }
}
