import Platform
import Sync

/// The faults of a folder as sentences that name files and devices.
struct SyncWarnings {
  let sentences: [String]

  init(_ keys: KeyFileDifferences, _ findings: [SyncFinding], _ device: SyncDevice) {
    let names = DeviceNames(device)
    let forgotten = Set(findings.compactMap(\.writer)).filter { device.state.forgotten[$0] != nil }
    let unreadable = Set(findings.compactMap(\.unreadableDirectory))
    let others = findings.filter { finding in
      switch finding {
      // The file of the new key is reported.
      case .unknownKey, .paused: keys.new.isEmpty
      case .oldKey(_, let writer): !forgotten.contains(writer)
      // The directory exists, but this device cannot read it.
      case .missingDevice(let missing): !unreadable.contains(missing.text)
      default: true
      }
    }
    let all =
      keys.warnings
      + forgotten.sorted().map { id in
        """
        \(names.text("device \(id)")), which was forgotten, writes to the folder; its new files are not used. When all other devices \
        are synced, delete the directory \(id)
        """
      } + Self.grouped(others).map(names.text)
    sentences = Self.limited(all.map(\.withoutControlCharacters))
  }

  /// The operator of a folder can cause any number of faults.
  private static let limit = 10

  private static func limited(_ sentences: [String]) -> [String] {
    guard sentences.count > limit else { return sentences }
    return sentences.prefix(limit - 1) + ["\(sentences.count - limit + 1) other warnings are not listed"]
  }

  /// One sentence for each kind of fault and each device.
  private static func grouped(_ findings: [SyncFinding]) -> [String] {
    var order: [SyncFinding.Group] = []
    var groups: [SyncFinding.Group: [SyncFinding]] = [:]
    for finding in findings {
      if groups[finding.group] == nil { order.append(finding.group) }
      groups[finding.group, default: []].append(finding)
    }
    return order.compactMap { group in
      groups[group].flatMap { findings in
        findings.first.map { first in
          first.description + (findings.count > 1 ? " (as are \(findings.count - 1) others)" : "")
        }
      }
    }
  }
}

extension SyncFinding {
  /// Findings that are reported with one sentence.
  fileprivate struct Group: Hashable {
    var kind: String
    var device: SharedID?
  }

  fileprivate var group: Group {
    switch self {
    case .conflictCopy: Group(kind: "conflict copy")
    case .foreignFile: Group(kind: "foreign file")
    case .damaged: Group(kind: "damaged")
    case .forged: Group(kind: "forged")
    case .unsigned(_, let device): Group(kind: "unsigned", device: device)
    case .unknownKey: Group(kind: "unknown key")
    case .newerFormat: Group(kind: "newer format")
    case .misplaced: Group(kind: "misplaced")
    case .duplicate: Group(kind: "duplicate")
    case .oldKey(_, let device): Group(kind: "old key", device: device)
    case .paused(_, let device): Group(kind: "paused", device: device)
    case .numberUsedTwice(_, let device, _): Group(kind: "number used twice", device: device)
    case .missing(let device, _): Group(kind: "missing", device: device)
    case .removed(let device, _): Group(kind: "removed", device: device)
    case .missingDevice(let device): Group(kind: "missing device", device: device)
    case .rolledBack(let device, _, _): Group(kind: "rolled back", device: device)
    case .repaired: Group(kind: "repaired")
    case .restoredHistory: Group(kind: "restored history")
    case .upgraded: Group(kind: "upgraded")
    case .clockAhead(let device, _): Group(kind: "clock", device: device)
    }
  }

  /// The device that wrote a file for a replaced key.
  fileprivate var writer: SharedID? { if case .oldKey(_, let device) = self { device } else { nil } }

  /// The directory of a file that exists and was not used.
  fileprivate var unreadableDirectory: String? {
    switch self {
    case .unknownKey(let path), .oldKey(let path, _), .paused(let path, _), .damaged(let path),
      .forged(let path), .newerFormat(let path):
      path.split(separator: "/").first.map { $0.lowercased() }
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
