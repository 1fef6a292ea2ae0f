import Localization
import Platform
import Strap

/// The findings of `doctor` on encryption at rest, derived from the facts in a snapshot.
struct StorageFindings: Sendable {
  /// A folder in which stressmon stores data.
  struct Place: Sendable {
    /// The name of the finding, such as `database storage`.
    var name: String
    var path: StoragePath
    /// The command that moves the data to encrypted storage, if there is a short one.
    var remedy: String?
  }

  var snapshot: StorageSnapshot
  var places: [Place]

  var findings: [Finding] { places.map(finding) + [swapFinding] }

  private func finding(_ place: Place) -> Finding {
    let path = place.path.path
    switch snapshot.encryption(of: place.path) {
    case .encrypted(let mechanisms):
      return Finding(
        place.name, .ok, Phrase("\(path) is encrypted by \(mechanisms.joined(separator: ", "))"))
    case .memory(let type): return Finding(place.name, .ok, Phrase("\(path) is in memory (\(type))"))
    case .plain(let device):
      return Finding(
        place.name, .warning,
        Phrase(
          """
          \(path) on \(device) is not encrypted by this system (the drive itself may encrypt); docs/privacy.md describes how to \
          encrypt it
          """),
        remedy: place.remedy)
    case .unknown(let reason):
      return Finding(
        place.name, .unknown, Phrase("could not be determined: \(reason)"), remedy: query(place.path))
    }
  }

  /// The command that shows what could not be determined.
  private func query(_ path: StoragePath) -> String? {
    guard let mount = snapshot.mounts.containing(path.path), mount.type == "zfs" else { return nil }
    return "zfs get encryption \(mount.source)"
  }
}

// MARK: Swap

extension StorageFindings {
  private static let swap = "swap"

  private var swapFinding: Finding {
    guard let swaps = snapshot.swaps else {
      return Finding(Self.swap, .unknown, Phrase("could not be determined: /proc/swaps is not readable"))
    }
    guard !swaps.isEmpty else { return Finding(Self.swap, .ok, Phrase("no swap is in use")) }
    let (findings, separator) = (swaps.map(finding), "; ")
    let worst: [Finding.State] = [.warning, .unknown, .ok]
    let state = worst.first { state in findings.contains { $0.state == state } } ?? .ok
    return Finding(
      Self.swap, state, Phrase(joining: findings.map(\.text), separator: separator),
      remedy: findings.first { $0.remedy != nil }?.remedy)
  }

  private func finding(_ swap: SwapArea) -> Finding {
    switch snapshot.encryption(of: swap) {
    case .encrypted(let mechanisms):
      Finding(Self.swap, .ok, Phrase("\(swap.path) is encrypted by \(mechanisms.joined(separator: ", "))"))
    case .memory: Finding(Self.swap, .ok, Phrase("\(swap.path) is in memory"))
    case .plain:
      Finding(
        Self.swap, .warning,
        Phrase("\(swap.path) is not encrypted, and memory with heart data may be written to it"),
        remedy: "sudo swapoff \(swap.path)")
    case .unknown(let reason):
      Finding(Self.swap, .unknown, Phrase("\(swap.path) could not be determined: \(reason)"))
    }
  }
}
