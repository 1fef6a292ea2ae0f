import Crypto
import TestSupport
import Testing

@testable import Age

@Suite struct StreamTests {
  private static let chunk = PayloadCipher.chunkByteCount

  @Test(arguments: [0, 1, 15, 16, 17, 65535, 65536, 65537, 131_071, 131_072, 131_073, 200_000])
  func everySizeSurvives(_ count: Int) throws {
    let plaintext = randomBytes(count)
    let file = try AgeFile.encrypt(plaintext, to: Keys.recipients)
    #expect(file.count == headerCount(file) + 16 + count + 16 * max(1, (count + Self.chunk - 1) / Self.chunk))
    for piece in [Int.max, 65552, 65553, 4096, 1000] {
      let outcome = decrypt(file, piece: piece)
      #expect(outcome.error == nil && outcome.released == plaintext)
    }
    #expect(try AgeFile.decrypt(file, with: Keys.identities) == plaintext)
  }

  @Test func piecesOfAnySizeEncryptToTheSamePlaintext() throws {
    let plaintext = randomBytes(150_000)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<10 {
      var encryptor = try AgeEncryptor(to: Keys.recipients)
      var file: [UInt8] = []
      var rest = plaintext[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...70_000, using: &random))
        file += encryptor.update(piece)
        rest = rest.dropFirst(piece.count)
      }
      file += encryptor.finish()
      #expect(decrypt(file).released == plaintext)
    }
  }

  @Test func everyByteOfAFileMatters() throws {
    let file = try AgeFile.encrypt(Array("age".utf8), to: Keys.recipients)
    for index in file.indices {
      for flip in [1, 0x20, 0x80] as [UInt8] {
        var damaged = file
        damaged[index] ^= flip
        let outcome = decrypt(damaged)
        #expect(outcome.error != nil && outcome.released.isEmpty, "byte \(index) ^ \(flip)")
      }
    }
  }

  @Test func everyTruncationIsDetected() throws {
    let file = try AgeFile.encrypt(Array("age".utf8), to: Keys.recipients)
    for count in 0..<file.count {
      let outcome = decrypt(Array(file.prefix(count)))
      #expect(outcome.error != nil && outcome.released.isEmpty, "\(count) bytes")
    }
    #expect(decrypt(file + [0]).error == .damagedPayload(chunk: 0))
  }

  @Test func truncationsOfALongFileReleaseOnlyCompleteChunks() throws {
    let plaintext = randomBytes(3 * Self.chunk + 100)
    let file = try AgeFile.encrypt(plaintext, to: Keys.recipients)
    let start = headerCount(file) + 16
    for chunk in 1...3 {
      for offset in [-1, 0, 1, 15, 16, 17] {
        let outcome = decrypt(Array(file.prefix(start + chunk * PayloadCipher.sealedChunkByteCount + offset)))
        let complete = offset < 0 ? chunk - 1 : chunk
        #expect(outcome.released == Array(plaintext.prefix(complete * Self.chunk)))
        #expect(
          outcome.error == .truncatedPayload(chunk: complete)
            || outcome.error == .damagedPayload(chunk: complete))
      }
    }
  }

  @Test func eachErrorIsRepeated() throws {
    var file = try AgeFile.encrypt(randomBytes(Self.chunk * 2), to: Keys.recipients)
    file[headerCount(file) + 20] ^= 1
    var decryptor = AgeDecryptor(with: Keys.identities)
    var errors: [AgeError] = []
    for _ in 0..<2 {
      do throws(AgeError) { _ = try decryptor.update(file[...]) } catch { errors.append(error) }
    }
    do throws(AgeError) { _ = try decryptor.finish() } catch { errors.append(error) }
    #expect(errors == [AgeError](repeating: .damagedPayload(chunk: 0), count: 3))
  }

  @Test func filesOfTheSamePlaintextDiffer() throws {
    let files = try (0..<20).map { _ in try AgeFile.encrypt([1, 2, 3], to: Keys.recipients) }
    #expect(Set(files).count == 20)
  }

  private func headerCount(_ file: [UInt8]) -> Int {
    let end = file.indices.first { file[$0...].starts(with: Array("\n---".utf8)) } ?? 0
    return (file[(end + 1)...].firstIndex(of: 10) ?? 0) + 1
  }
}

/// Payloads of several chunks that are valid chunk by chunk, but not as a whole.
@Suite struct ChunkOrderTests {
  private static let chunks = (0..<3).map {
    [UInt8](repeating: UInt8($0), count: PayloadCipher.chunkByteCount)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The chunks, each with its number and whether it is marked as final.
    let chunks: [(plaintext: [UInt8], number: Int, isFinal: Bool)]
    var rest: [UInt8] = []
    /// The number of chunks that are released.
    let released: Int
    let error: AgeError?

    init(
      _ name: String, _ chunks: [([UInt8], Int, Bool)], rest: [UInt8] = [], released: Int,
      error: AgeError? = nil
    ) {
      testDescription = name
      self.chunks = chunks
      self.rest = rest
      self.released = released
      self.error = error
    }
  }

  static let cases: [Case] = [
    Case("two chunks", [(chunks[0], 0, false), (chunks[1], 1, true)], released: 2),
    Case("three chunks", [(chunks[0], 0, false), (chunks[1], 1, false), ([7], 2, true)], released: 3),
    Case("last chunk full", [(chunks[0], 0, true)], released: 1),
    Case(
      "last chunk empty", [(chunks[0], 0, false), ([], 1, true)], released: 1,
      error: .damagedPayload(chunk: 1)),
    Case("no final chunk", [(chunks[0], 0, false)], released: 1, error: .truncatedPayload(chunk: 1)),
    Case(
      "no final chunk of two", [(chunks[0], 0, false), ([7], 1, false)], released: 1,
      error: .damagedPayload(chunk: 1)),
    Case(
      "no final chunk of two full ones", [(chunks[0], 0, false), (chunks[1], 1, false)], released: 2,
      error: .truncatedPayload(chunk: 2)),
    Case(
      "two final chunks", [(chunks[0], 0, true), (chunks[1], 1, true)], released: 1, error: .trailingBytes),
    Case(
      "short chunk before another", [([7], 0, false), (chunks[1], 1, true)], released: 0,
      error: .damagedPayload(chunk: 0)),
    Case(
      "swapped chunks", [(chunks[1], 1, false), (chunks[0], 0, false), (chunks[2], 2, true)], released: 0,
      error: .damagedPayload(chunk: 0)),
    Case(
      "missing chunk", [(chunks[0], 0, false), (chunks[2], 2, true)], released: 1,
      error: .damagedPayload(chunk: 1)),
    Case(
      "repeated chunk", [(chunks[0], 0, false), (chunks[0], 0, false), (chunks[1], 1, true)], released: 1,
      error: .damagedPayload(chunk: 1)),
    Case(
      "garbage after a full chunk", [(chunks[0], 0, true)], rest: [UInt8](repeating: 9, count: 20),
      released: 1,
      error: .trailingBytes),
    Case(
      "a byte after a chunk that is not final", [(chunks[0], 0, false)], rest: [9], released: 1,
      error: .truncatedPayload(chunk: 1)),
  ]

  @Test(arguments: cases, [Int.max, 65552, 999]) func order(_ example: Case, piece: Int) throws {
    let (fileKey, nonce) = (FileKey.make(), randomBytes(16))
    var file = try Header.encode(Keys.recipients.wrap(fileKey), fileKey: fileKey) + nonce
    for (plaintext, number, isFinal) in example.chunks {
      var cipher = PayloadCipher(fileKey: fileKey, nonce: nonce)
      for _ in 0..<number { _ = cipher.seal([], isFinal: false) }
      file += cipher.seal(plaintext[...], isFinal: isFinal)
    }
    let outcome = decrypt(file + example.rest, piece: piece)
    #expect(outcome.error == example.error)
    #expect(outcome.released == example.chunks.prefix(example.released).flatMap(\.plaintext))
  }
}
