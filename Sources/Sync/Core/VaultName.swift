/// The meaning of a path in the vault, relative to its folder.
package enum VaultName: Hashable, Sendable {
  case about
  case part(tag: SharedID, part: Int)
  case changes(number: Int)

  package static let lastPart = 9999
  package static let lastNumber = 99_999_999

  /// The name of the file in the directory of its device.
  package var text: String {
    switch self {
    case .about: "about.age"
    case .part(let tag, let part): "s-\(tag.text)-\(Self.padded(part, 4)).age"
    case .changes(let number): "j-\(Self.padded(number, 8)).age"
    }
  }

  /// Parses ``text``, in either case. Fails for any other name.
  package init?(_ text: some StringProtocol) {
    let name = text.lowercased()
    guard name.hasSuffix(".age") else { return nil }
    let stem = name.dropLast(4)
    if stem == "about" {
      self = .about
    } else if stem.hasPrefix("j-"), let number = Self.number(stem.dropFirst(2), 8), number > 0 {
      self = .changes(number: number)
    } else if stem.hasPrefix("s-"), stem.utf8.count == 33, let tag = SharedID(stem.dropFirst(2).prefix(26)),
      stem.dropFirst(28).hasPrefix("-"), let part = Self.number(stem.dropFirst(29), 4)
    {
      self = .part(tag: tag, part: part)
    } else {
      return nil
    }
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// A path in the vault.
package enum VaultPath: Hashable, Sendable {
  /// A file in the directory of a device.
  case device(SharedID, VaultName)
  /// The unfinished file of a killed program.
  case temporary(SharedID)
  /// A copy that a synchroniser made of a conflict.
  case conflictCopy
  /// Not a name of stressmon.
  case foreign

  /// - Parameter path: `directory/name`.
  package init(_ path: String) {
    guard !Self.isConflictCopy(path) else {
      self = .conflictCopy
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = SharedID(parts[0]) else {
      self = .foreign
      return
    }
    if let name = VaultName(parts[1]) {
      self = .device(device, name)
    } else if Self.isTemporary(parts[1]) {
      self = .temporary(device)
    } else {
      self = .foreign
    }
  }

  /// `NAME.age.PID.new`, as `OutputFile` names it.
  private static func isTemporary(_ name: Substring) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[3] == "new" && Int(parts[2]) != nil
      && VaultName("\(parts[0]).\(parts[1])") != nil
  }

  package static func text(_ device: SharedID, _ name: VaultName) -> String { device.text + "/" + name.text }

  /// The names of Syncthing, Nextcloud and Dropbox.
  private static func isConflictCopy(_ path: String) -> Bool {
    // Valid names contain neither of these characters.
    guard
      path.utf8.contains(where: {
        $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "~")
      })
        || path.contains(".sync") || path.contains(".st")
    else { return false }
    let name = path.lowercased()
    return [
      ".sync-conflict-", "conflicted copy", "(conflict", ".syncthing.", ".stversions", ".stfolder",
      "~syncthing~",
    ]
    .contains { name.contains($0) }
  }
}
