/// A file of another device that was read and is used.
package struct PeerFile: Hashable, Sendable {
  package var digest: UInt64
  /// The session of which it contains a part. A file with changes has none.
  package var session: SharedID?
  /// Absent if a program that did not record it read the file.
  package var key: VaultKey?
  /// See ``Receipt/about``; 0 if a program that did not record it read the file.
  package var about = 0

  var receipt: Receipt { Receipt(about: about, epoch: key?.epoch ?? 0) }
}

/// What this device knows about the files of another device.
package struct PeerState: Hashable, Sendable {
  package var name = ""
  /// Numbers of the files that were read.
  package var received = NumberSet()
  package var withdrawn = NumberSet()
  /// The highest number that the device is known to have written.
  package var written = 0
  /// `version` of the latest `about.age`; 0 before one was read.
  package var aboutVersion = 0
  /// See ``About/replaced``.
  package var replaced: FileID?
  /// By number. Files that were received before a new key and not by its writer are no longer used.
  package var files: [Int: PeerFile] = [:]

  package init() {}

  /// Written, not withdrawn and never read here.
  package var missing: NumberSet {
    guard written > 0 else { return NumberSet() }
    return NumberSet(ranges: [1...written]).subtracting(received).subtracting(withdrawn)
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
    package var deletedTimeCount = 0
    /// Of a part: see ``LocalSession/lacksEvents``.
    package var lacksEvents = false

    package init(
      name: VaultName, key: VaultKey, content: Content, deletedTimeCount: Int = 0, lacksEvents: Bool = false
    ) {
      (self.name, self.key, self.content) = (name, key, content)
      (self.deletedTimeCount, self.lacksEvents) = (deletedTimeCount, lacksEvents)
    }
  }

  /// The highest number that was used.
  package var written = 0
  package var withdrawn = NumberSet()
  /// The files that belong in the folder.
  package var live: [Int: File] = [:]
  /// The latest `about.age` that was saved. A program that was killed did not write it.
  package var about: About?
  /// The latest version of the `about.age` that was written.
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
package struct LocalSession: Hashable, Sendable {
  package var content: SessionContent?
  package var parts: Int
  package var hasEnded: Bool
  /// Whether events are missing that were deleted for a device that was forgotten before. A device that has them writes them again.
  package var lacksEvents: Bool

  package init(content: SessionContent?, parts: Int, hasEnded: Bool, lacksEvents: Bool = false) {
    self.content = content
    self.parts = parts
    self.hasEnded = hasEnded
    self.lacksEvents = lacksEvents
  }
}
