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
  /// See ``HeldSession/lacksEvents``.
  package var lacksEvents: Bool

  package init(file: FileID, digest: UInt64, lacksEvents: Bool = false) {
    self.file = file
    self.digest = digest
    self.lacksEvents = lacksEvents
  }
}

extension VaultFile {
  var carrier: PartCarrier {
    let lacksEvents = if case .part(let part) = content { part.lacksEvents } else { false }
    return PartCarrier(file: FileID(device, number), digest: digest, lacksEvents: lacksEvents)
  }
}

extension PartCarrier {
  fileprivate func precedes(_ other: PartCarrier) -> Bool {
    if lacksEvents != other.lacksEvents { return other.lacksEvents }
    return (digest, file) < (other.digest, other.file)
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

  /// The file to read each part from: of different contents, one without missing events, and that with the smallest digest.
  /// - Parameter isUsable: Whether a file is in the folder.
  /// - Returns: The files of the contiguous parts from 0.
  package func sources(_ isUsable: (PartCarrier) -> Bool) -> [PartCarrier] {
    var files: [PartCarrier] = []
    while files.count < total ?? .max, let candidates = carriers[files.count] {
      let usable = candidates.filter(isUsable)
      guard let best = usable.min(by: { $0.precedes($1) }) else { break }
      files.append(best)
    }
    return files
  }
}
