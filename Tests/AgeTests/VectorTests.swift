import Age
import Crypto
import FoundationEssentials
import Testing

/// The vectors in Fixtures/testkit: an error of the expected kind, and only the expected plaintext is released.
@Suite struct VectorTests {
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures/testkit"
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

  @Test func theVectorsAreComplete() { #expect(Self.names.count == 113) }

  @Test(arguments: names, [Int.max, 1]) func vector(_ name: String, piece: Int) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)")))
    let vector = try #require(TestVector(bytes))
    let armor = vector.isArmored ? disarm(vector.file, piece: piece) : (bytes: vector.file, error: nil)
    if let error = armor.error {
      #expect(vector.expectation == "armor failure", "\(error)")
      return
    }
    let outcome = decrypt(armor.bytes, piece: piece, with: try vector.identities)
    #expect(outcome.error.map(\.expectation) ?? "success" == vector.expectation, "\(outcome.error as Any)")
    if let digest = vector["payload"] {
      #expect(SHA256.hash(data: outcome.released).map { hex($0) }.joined() == digest)
    } else {
      #expect(outcome.released.isEmpty)
    }
  }

  private func hex(_ byte: UInt8) -> String { String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
}

/// A textual header, an empty line, and the file.
private struct TestVector {
  let fields: [(key: String, value: String)]
  let file: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard let end = bytes.indices.dropLast().first(where: { bytes[$0] == 10 && bytes[$0 + 1] == 10 }) else {
      return nil
    }
    fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").map { line in
      let parts = line.split(separator: ": ", maxSplits: 1)
      return (String(parts[0]), String(parts.last ?? ""))
    }
    file = Array(bytes[(end + 2)...])
  }

  subscript(_ key: String) -> String? { fields.first { $0.key == key }?.value }
  var expectation: String { self["expect"] ?? "" }
  var isArmored: Bool { self["armored"] == "yes" }

  var identities: AgeIdentities {
    get throws {
      if let passphrase = self["passphrase"], self["identity"] == nil {
        return .passphrase(try Passphrase(passphrase))
      }
      return .keys(try fields.filter { $0.key == "identity" }.map { try X25519Identity($0.value) })
    }
  }
}

extension AgeError {
  /// The kind of failure in the terms of the vectors.
  fileprivate var expectation: String {
    switch self {
    case .headerMismatch: "HMAC failure"
    case .noMatchingIdentity, .wrongPassphrase, .passphraseRequired, .identityRequired: "no match"
    case .truncatedPayload, .damagedPayload, .trailingBytes: "payload failure"
    case .malformedArmor: "armor failure"
    default: "header failure"
    }
  }
}
