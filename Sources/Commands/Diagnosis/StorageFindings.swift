import Glibc
import Localization
import Platform
import Strap
import Subprocess

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

extension StorageFindings {
  /// The storage of the running system.
  /// - Parameter database: the file, if its location is known.
  static func ofSystem(database: String?, _ environment: ProcessEnvironment) async -> StorageFindings {
    let places = places(database: database, environment)
    var snapshot = StorageSnapshot(in: SystemTree())
    for place in places {
      guard let mount = snapshot.mounts.containing(place.path.path), mount.type == "zfs" else { continue }
      snapshot.zfsEncryption[mount.source] = await zfsEncryption(of: mount.source)
    }
    return StorageFindings(snapshot: snapshot, places: places)
  }

  /// The folders of the database, of recordings without a folder in their name, and of sockets and locks.
  private static func places(database: String?, _ environment: ProcessEnvironment) -> [Place] {
    let stored = database.map { Place(name: "database storage", path: StoragePath(of: $0)) }
    return [stored].compactMap { $0 } + [
      Place(name: "recordings storage", path: StoragePath(of: ".")),
      Place(
        name: "runtime storage", path: StoragePath(of: environment.runtimeFolder),
        remedy: "export XDG_RUNTIME_DIR=/run/user/$(id -u)"),
    ]
  }

  /// The property of a data set, if the program `zfs` can read it.
  private static func zfsEncryption(of dataSet: String) async -> String? {
    let result = try? await run(
      .name("zfs"), arguments: ["get", "-H", "-o", "value", "encryption", dataSet],
      output: .string(limit: 4096),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput.split(separator: "\n").first.map(String.init)
  }
}
