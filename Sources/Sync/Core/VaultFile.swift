/// A file of a device, after decryption and authentication.
package struct VaultFile: Equatable, Sendable {
  package var device: SharedID
  /// The number in the device's sequence of files, from 1; 0 for `about.age`.
  package var number: Int
  /// The first bytes of the SHA-256 of the body.
  package var digest: UInt64
  package var content: Content
  package var name: VaultName

  package enum Content: Equatable, Sendable {
    case about(About)
    case part(VaultPart)
    case changes([Change])
  }

  package init(device: SharedID, number: Int, digest: UInt64, name: VaultName, content: Content) {
    (self.device, self.number, self.digest) = (device, number, digest)
    (self.name, self.content) = (name, content)
  }
}

/// Part of a session. The events are not in memory; ``digest`` identifies them.
package struct VaultPart: Hashable, Sendable {
  package var session: SharedID
  /// From 0.
  package var part: Int
  /// Number of parts, once the session has ended.
  package var parts: Int?
  package var content: SessionContent?
  /// See ``LocalSession/lacksEvents``.
  package var lacksEvents: Bool

  package init(
    session: SharedID, part: Int, parts: Int?, content: SessionContent?, lacksEvents: Bool = false
  ) {
    (self.session, self.part, self.parts) = (session, part, parts)
    (self.content, self.lacksEvents) = (content, lacksEvents)
  }
}

/// What a device states about itself.
package struct About: Equatable, Sendable {
  package var name: String
  /// Increases with each rewriting.
  package var version: Int
  /// The highest number written.
  package var written: Int
  /// Numbers of files that the device removed or never finished.
  package var withdrawn: NumberSet
  package var key: VaultKey
  /// The identifier of format 1, if any, that the device had before, with the last number that it wrote.
  package var replaced: FileID?
  /// The numbers of each other device that it has read.
  package var received: [SharedID: NumberSet]

  package init(
    name: String, version: Int = 0, written: Int = 0, withdrawn: NumberSet = NumberSet(), key: VaultKey,
    replaced: FileID? = nil, received: [SharedID: NumberSet] = [:]
  ) {
    (self.name, self.version, self.written, self.withdrawn) = (name, version, written, withdrawn)
    (self.key, self.replaced, self.received) = (key, replaced, received)
  }
}
