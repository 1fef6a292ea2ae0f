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

/// A file that carries a part of a session.
package struct PartCarrier: Hashable, Sendable {
  package var file: FileID
  package var digest: UInt64

  package init(file: FileID, digest: UInt64) {
    self.file = file
    self.digest = digest
  }
}

/// What the files of the vault contain of one session.
package struct SharedSession: Hashable, Sendable {
  package var content: SessionContent?
  /// Number of parts; nil while no file states it.
  package var total: Int?
  package var carriers: [Int: Set<PartCarrier>] = [:]

  package init() {}

  package mutating func add(_ part: SessionPart, _ carrier: PartCarrier) {
    if let parts = part.parts { total = max(total ?? 0, parts) }
    if let known = part.content { content = min(content ?? known, known) }
    carriers[part.part, default: []].insert(carrier)
  }

  package mutating func remove(_ file: FileID) {
    for (part, files) in carriers where files.contains(where: { $0.file == file }) {
      let rest = files.filter { $0.file != file }
      carriers[part] = rest.isEmpty ? nil : rest
    }
  }

  /// The file to read each part from: of different contents, that with the smallest digest.
  /// - Parameter isUsable: Whether a file is in the folder.
  /// - Returns: The files of the contiguous parts from 0.
  package func sources(_ isUsable: (PartCarrier) -> Bool) -> [PartCarrier] {
    var files: [PartCarrier] = []
    while files.count < total ?? .max, let candidates = carriers[files.count] {
      let usable = candidates.filter(isUsable)
      guard let best = usable.min(by: { ($0.digest, $0.file) < ($1.digest, $1.file) }) else { break }
      files.append(best)
    }
    return files
  }
}
