/// What this device knows about the files of another device.
package struct PeerLedger: Hashable, Sendable {
  package var name = ""
  /// Numbers of the files that were read.
  package var seen = NumberSet()
  package var withdrawn = NumberSet()
  /// The highest number that the device is known to have written.
  package var written = 0
  /// `version` of the latest `about.age`; 0 before one was read.
  package var aboutVersion = 0
  /// The digest of each file that was read.
  package var digests: [Int: UInt64] = [:]
  /// The session of each file that carries a part.
  package var sessions: [Int: SharedID] = [:]

  package init() {}

  /// Written, not withdrawn and never read here.
  package var missing: NumberSet {
    guard written > 0 else { return NumberSet() }
    return NumberSet(ranges: [1...written]).subtracting(seen).subtracting(withdrawn)
  }
}

/// The files that this device wrote.
package struct OwnFiles: Equatable, Sendable {
  package struct File: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case part(SharedID, Int)
      /// The records whose values the file contains.
      case changes(Set<RecordKey>)
    }

    package var name: VaultName
    package var key: VaultKey
    package var content: Content
    /// Of a part: the number of deleted times of the session when the file was written.
    package var cuts = 0

    package init(name: VaultName, key: VaultKey, content: Content, cuts: Int = 0) {
      (self.name, self.key, self.content, self.cuts) = (name, key, content, cuts)
    }
  }

  /// The highest number that was used.
  package var written = 0
  package var withdrawn = NumberSet()
  /// The files that belong in the folder.
  package var live: [Int: File] = [:]
  /// The latest `about` that was saved. A program that was killed did not write it.
  package var about: About?
  /// The latest version of the `about` that was written.
  package var writtenAbout = 0

  package init() {}

  package var aboutVersion: Int { about?.version ?? 0 }

  /// The numbers of the live files with changes, in order.
  var changeFiles: [Int] {
    live.filter { if case .changes = $0.value.content { true } else { false } }.keys.sorted()
  }

  mutating func add(_ file: (Int) -> File) -> Int {
    written += 1
    live[written] = file(written)
    return written
  }
}

/// A session in the history of this device.
package struct HeldSession: Hashable, Sendable {
  package var content: SessionContent?
  package var parts: Int
  package var hasEnded: Bool

  package init(content: SessionContent?, parts: Int, hasEnded: Bool) {
    self.content = content
    self.parts = parts
    self.hasEnded = hasEnded
  }
}
