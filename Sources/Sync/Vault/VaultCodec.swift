internal import JSONLines

/// Converts between files of the vault and their encrypted bytes.
package struct VaultCodec<Crypt: FileCrypt>: Sendable {
  package let vault: SharedID
  package private(set) var crypt: Crypt

  /// The size of the plaintext is a multiple of this. It therefore reveals little about the content.
  package static var padding: Int { 1 << 16 }
  /// Limit of the encrypted size in bytes. An hour of electrocardiogram and acceleration has about 9 MB.
  package static var sizeLimit: Int { 32 << 20 }

  package init(vault: SharedID, crypt: Crypt) {
    self.vault = vault
    self.crypt = crypt
  }

  /// The codec whose files are encrypted for `key`.
  /// - Throws: ``FileCryptError/unknownKey``.
  package func encrypting(for key: VaultKey) throws(FileCryptError) -> VaultCodec {
    var codec = self
    codec.crypt.current = key
    guard crypt.authenticationCode(of: [], purpose: "file", key: key) != nil else { throw .unknownKey }
    return codec
  }

  /// - Parameters:
  ///   - signer: The key of the device. A device that uses format 1 has none.
  ///   - events: The lines of a session's part; empty for other files.
  package func encode(
    _ file: VaultFile, signedWith signer: DeviceKey?, events: consuming [UInt8] = []
  ) throws -> [UInt8] {
    try crypt.seal(plaintext(of: file, signer, FileBody.line(file.content), events))
  }

  /// The header, the content and the padding in one buffer, because a part may have several megabytes.
  private func plaintext(
    of file: VaultFile, _ signer: DeviceKey?, _ content: [UInt8], _ events: consuming [UInt8]
  ) throws -> [UInt8] {
    // The hash and the signature have fixed sizes, so the header has the same size for each body.
    var plaintext = try FileHeader(vault: vault, file: file, body: []).line(crypt, signedWith: signer)
    let header = plaintext.indices
    let padding = Self.paddingLine(after: header.count + content.count + events.count)
    plaintext.reserveCapacity(header.count + content.count + events.count + padding.count)
    plaintext += content
    plaintext += events
    plaintext += padding
    let line = try FileHeader(vault: vault, file: file, body: plaintext[header.endIndex...]).line(
      crypt, signedWith: signer)
    plaintext.replaceSubrange(header, with: line)
    return plaintext
  }

  /// A line with which `count` bytes become a multiple of ``padding``.
  private static func paddingLine(after count: Int) -> [UInt8] {
    let frame = #"{"padding":""}"#.utf8.count + 1
    let rest = (2 * padding - (count + frame) % padding) % padding
    return Array((#"{"padding":""# + String(repeating: " ", count: rest) + "\"}\n").utf8)
  }

  /// - Returns: The file and, of a part, the lines of its events.
  package func decode(_ bytes: [UInt8]) -> (file: OpenedFile, events: ArraySlice<UInt8>) {
    do {
      let (plaintext, key) = try crypt.open(bytes)
      return try decode(plaintext, key)
    } catch FileCryptError.unknownKey {
      return (.unknownKey, [])
    } catch FileHeader.Fault.newer {
      return (.newerFormat, [])
    } catch FileHeader.Fault.forged, FileHeader.Fault.malformed {
      return (.forged, [])
    } catch {
      return (.damaged, [])
    }
  }

  private func decode(
    _ plaintext: [UInt8], _ key: VaultKey
  ) throws -> (file: OpenedFile, events: ArraySlice<UInt8>) {
    guard let end = plaintext.firstIndex(of: UInt8(ascii: "\n")) else { throw FileHeader.Fault.malformed }
    let rest = plaintext[(end + 1)...]
    let header = try FileHeader(Array(plaintext[...end]), body: rest, vault: vault, crypt, key: key)
    guard let body = Self.withoutPadding(rest), let (content, events) = FileBody.decode(header.kind, body)
    else {
      throw FileHeader.Fault.newer
    }
    let file = VaultFile(
      device: header.device, number: header.number, digest: header.digest, name: header.name, content: content
    )
    return (.file(file, key), events)
  }

  /// The lines before the last one, which is the padding.
  private static func withoutPadding(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let feed = UInt8(ascii: "\n")
    guard body.last == feed else { return nil }
    let start = body.dropLast().lastIndex(of: feed).map { $0 + 1 } ?? body.startIndex
    return body[start...].starts(with: #"{"padding":"#.utf8) ? body[..<start] : nil
  }

  /// The identifier of a session in file names.
  package func tag(_ session: SharedID) -> SharedID {
    let code =
      crypt.authenticationCode(of: Array(session.text.utf8), purpose: "session", key: crypt.current) ?? []
    return SharedID(bits: code.prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
  }
}
