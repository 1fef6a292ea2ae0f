import Localization
import Platform
import Sync

/// The faults of a folder as sentences that name files and devices.
struct SyncWarnings {
  let sentences: [Phrase]

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
        Phrase(
          """
          device \(names.text(id)), which was forgotten, writes to the folder; its new files are not used. When all other devices are \
          synced, delete the directory \(id)
          """)
      } + Self.grouped(others, names)
    sentences = Self.limited(all)
  }

  /// The operator of a folder can cause any number of faults.
  private static let limit = 10

  private static func limited(_ sentences: [Phrase]) -> [Phrase] {
    guard sentences.count > limit else { return sentences }
    return sentences.prefix(limit - 1) + [
      Phrase("\(sentences.count - limit + 1) other warnings are not listed")
    ]
  }

  /// One sentence for each kind of fault and each device.
  private static func grouped(_ findings: [SyncFinding], _ names: DeviceNames) -> [Phrase] {
    var order: [SyncFinding.Group] = []
    var groups: [SyncFinding.Group: [SyncFinding]] = [:]
    for finding in findings {
      if groups[finding.group] == nil { order.append(finding.group) }
      groups[finding.group, default: []].append(finding)
    }
    return order.compactMap { group in
      groups[group].flatMap { findings in
        findings.first.map { first in
          let sentence = first.message(names.text)
          return findings.count > 1 ? Phrase("\(sentence) (as are \(findings.count - 1) others)") : sentence
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

  /// The name of a device with its ID in parentheses, or the ID of a device without a name.
  func text(_ device: SharedID) -> String {
    guard let name = names[device]?.withoutControlCharacters, !name.isEmpty else { return device.text }
    return "\(name) (\(device))"
  }
}
