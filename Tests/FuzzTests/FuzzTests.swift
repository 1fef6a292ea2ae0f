import FoundationEssentials
import TestSupport
import Testing

/// Runs the fuzz targets without libFuzzer: with each corpus file, then with corpus files mutated by a seeded generator.
/// `make fuzz` runs them longer, guided by coverage.
@Suite struct FuzzTests {
  private static func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder =
      "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Corpus/" + target.rawValue
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
    }
  }

  @Test(arguments: FuzzTarget.allCases) func everyCorpusInputIsHandled(_ target: FuzzTarget) throws {
    let corpus = try Self.corpus(target)
    #expect(corpus.count > 3)
    for (name, bytes) in corpus { #expect(target.defect(bytes) == nil, "\(target)/\(name)") }
  }

  @Test(arguments: FuzzTarget.allCases, 0..<4 as Range<UInt64>)
  func mutatedCorpusInputsAreHandled(_ target: FuzzTarget, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let corpus = try Self.corpus(target).map(\.bytes)
    for round in 0..<1500 {
      var bytes = corpus.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes.mutate(with: corpus, using: &random)
      }
      #expect(target.defect(bytes) == nil, "\(target), seed \(seed), round \(round): \(bytes)")
    }
  }

  /// Files of both formats are valid; files without the signature of their device, and with numbers beyond the limits, are not.
  @Test func vaultCorpusIsAcceptedOrRejected() throws {
    let accepted = try Self.corpus(.vault).filter { FuzzTarget.vaultFile($0.bytes) != nil }.map(\.name)
    #expect(
      accepted == [
        "about-1", "about-2", "changes-1", "changes-2", "numbers-largest", "retired-reader", "session-1",
        "session-2",
      ])
  }
}

extension [UInt8] {
  /// Applies one random mutation: a flipped bit, a special byte, an insertion, a removal, a repetition, or a splice.
  fileprivate mutating func mutate(with corpus: [[UInt8]], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < count: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where place < count: self[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
    case 2: insert(.random(in: 0...255, using: &random), at: place)
    case 3: removeSubrange(place..<Swift.min(count, place + .random(in: 1...16, using: &random)))
    case 4: insert(contentsOf: self[place...].prefix(64), at: place)
    default:
      let other = corpus.randomElement(using: &random) ?? []
      self = self[..<place] + other.suffix(Int.random(in: 0...other.count, using: &random))
    }
  }
}
