import Platform
import Sync

/// The faults of a folder as sentences that name files and devices.
struct SyncWarnings {
  let sentences: [String]

  init(_ keys: KeyFileDifferences, _ findings: [Finding], _ device: SyncDevice) {
    let names = DeviceNames(device)
    let forgotten = Set(findings.compactMap(\.writer)).filter { device.state.forgotten[$0] != nil }
    let unreadable = findings.compactMap(\.unreadablePath)
    let others = findings.filter { finding in
      switch finding {
      case .unknownKey: false
      case .oldKey(_, let writer): !forgotten.contains(writer)
      // The directory exists, but this device cannot read it.
      case .missingDevice(let missing): !unreadable.contains { $0.hasPrefix("\(missing)/") }
      default: true
      }
    }
    sentences =
      keys.warnings + Self.unknownKeys(findings, isExplained: !keys.new.isEmpty)
      + forgotten.sorted().map { id in
        """
        \(names.text("device \(id)")), which was forgotten, writes to the folder; its new files are not used. When all other devices \
        are synced, delete the directory \(id)
        """
      } + others.map { names.text($0.description) }
  }

  /// One sentence for all files; none if the file of a new key is reported.
  private static func unknownKeys(_ findings: [Finding], isExplained: Bool) -> [String] {
    let unknown = findings.filter { if case .unknownKey = $0 { true } else { false } }
    guard let first = unknown.first, !isExplained else { return [] }
    return [first.description + (unknown.count > 1 ? "; so are \(unknown.count - 1) other files" : "")]
  }
}

extension Finding {
  /// The device that wrote a file for a replaced key.
  fileprivate var writer: SharedID? { if case .oldKey(_, let device) = self { device } else { nil } }

  /// The path of a file that exists and was not used.
  fileprivate var unreadablePath: String? {
    switch self {
    case .unknownKey(let path), .oldKey(let path, _), .damaged(let path), .forged(let path),
      .newerFormat(let path):
      path
    default: nil
    }
  }
}

/// The names of devices in messages.
struct DeviceNames {
  private let names: [SharedID: String]

  init(_ device: SyncDevice) {
    var names = device.peers.mapValues(\.name)
    names[device.id] = device.name
    self.names = names
  }

  /// A text with the names of devices before their IDs.
  func text(_ text: String) -> String {
    names.reduce(text) { text, entry in
      guard !entry.value.isEmpty else { return text }
      let name = entry.value.withoutControlCharacters
      return text.replacing("device \(entry.key)", with: "device \(name) (\(entry.key))")
    }
  }
}
