/// The number of a file and its device.
package struct FileID: Hashable, Comparable, Sendable {
  package var device: SharedID
  package var number: Int

  package init(_ device: SharedID, _ number: Int) {
    self.device = device
    self.number = number
  }

  package static func < (a: FileID, b: FileID) -> Bool { (a.device, a.number) < (b.device, b.number) }
}

/// Identifies a file of a device by its number and content.
package struct FileReference: Hashable, Sendable {
  package var file: FileID
  package var digest: UInt64
  /// See ``LocalSession/lacksEvents``.
  package var lacksEvents: Bool

  package init(file: FileID, digest: UInt64, lacksEvents: Bool = false) {
    (self.file, self.digest, self.lacksEvents) = (file, digest, lacksEvents)
  }
}

extension VaultFile {
  var reference: FileReference {
    let lacksEvents = if case .part(let part) = content { part.lacksEvents } else { false }
    return FileReference(file: FileID(device, number), digest: digest, lacksEvents: lacksEvents)
  }
}

extension FileReference {
  fileprivate func precedes(_ other: FileReference) -> Bool {
    if lacksEvents != other.lacksEvents { return other.lacksEvents }
    return (digest, file) < (other.digest, other.file)
  }
}

/// What the files of the vault contain of one session.
package struct SharedSession: Hashable, Sendable {
  package var content: SessionContent?
  /// Number of parts, once a file states it.
  package var total: Int?
  package var partFiles: [Int: Set<FileReference>] = [:]

  package init() {}

  package mutating func add(_ part: VaultPart, _ reference: FileReference) {
    if let parts = part.parts { total = max(total ?? 0, parts) }
    if let known = part.content { content = min(content ?? known, known) }
    partFiles[part.part, default: []].insert(reference)
  }

  package mutating func remove(_ file: FileID) {
    for (part, files) in partFiles where files.contains(where: { $0.file == file }) {
      let rest = files.filter { $0.file != file }
      partFiles[part] = rest.isEmpty ? nil : rest
    }
  }

  /// The file to read each part from: of different contents, one without missing events, and that with the smallest digest.
  /// - Parameter isUsable: Whether a file is in the folder.
  /// - Returns: The files of the contiguous parts from 0.
  package func sources(_ isUsable: (FileReference) -> Bool) -> [FileReference] {
    var files: [FileReference] = []
    while files.count < total ?? .max, let candidates = partFiles[files.count] {
      let usable = candidates.filter(isUsable)
      guard let best = usable.min(by: { $0.precedes($1) }) else { break }
      files.append(best)
    }
    return files
  }
}
