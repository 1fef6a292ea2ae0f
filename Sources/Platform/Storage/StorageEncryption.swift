package import Localization

/// Whether the content of a file is encrypted where it is stored. It is never guessed: what the facts do not determine
/// is ``unknown(reason:)``.
package enum StorageEncryption: Equatable, Sendable {
  /// Encrypted by these mechanisms, such as `dm-crypt (LUKS2) on dm-0`.
  case encrypted(by: [String])
  /// In memory, from where it may be written to swap.
  case memory(String)
  /// Not encrypted by this system. Whether the drive itself encrypts cannot be determined.
  case plain(device: String)
  case unknown(reason: Phrase)

  /// The state of data that are distributed over several devices: the weakest one.
  init(combining states: [StorageEncryption]) {
    let plain = states.first { if case .plain = $0 { true } else { false } }
    let unknown = states.first { if case .unknown = $0 { true } else { false } }
    let mechanisms = states.flatMap { state -> [String] in
      if case .encrypted(let by) = state { by } else { [] }
    }
    if let decisive = plain ?? unknown {
      self = decisive
    } else if mechanisms.isEmpty {
      self = states.first ?? .unknown(reason: Phrase("it has no device"))
    } else {
      self = .encrypted(by: mechanisms)
    }
  }
}

extension StorageSnapshot {
  private static let encryptedFileSystems = [
    "ecryptfs": "eCryptfs", "fuse.gocryptfs": "gocryptfs", "fuse.encfs": "EncFS", "fuse.cryfs": "CryFS",
  ]
  /// Deeper stacks of devices are not followed.
  private static let deepestStack = 16

  /// The encryption of the content of `path`.
  package func encryption(of path: StoragePath) -> StorageEncryption { encryption(of: path, depth: 0) }

  package func encryption(of swap: SwapArea) -> StorageEncryption {
    if let file = swap.file { return encryption(of: file) }
    guard let device = swap.device else { return .unknown(reason: Phrase("\(swap.path) is not accessible")) }
    return encryption(ofDevice: device, depth: 0)
  }

  private func encryption(of path: StoragePath, depth: Int) -> StorageEncryption {
    guard let mount = mounts.containing(path.path) else {
      return .unknown(reason: Phrase("\(path.path) is on no file system of /proc/self/mountinfo"))
    }
    if path.isEncryptedByFscrypt == true { return .encrypted(by: ["fscrypt"]) }
    if let name = Self.encryptedFileSystems[mount.type] { return .encrypted(by: [name]) }
    switch mount.type {
    case "tmpfs", "ramfs": return .memory(mount.type)
    case "zfs": return zfs(mount.source)
    case "btrfs": return btrfs(mount, depth: depth)
    default: break
    }
    guard !mount.device.hasPrefix("0:") else {
      return .unknown(
        reason: Phrase("the file system \(mount.type) at \(mount.mountPoint) has no block device"))
    }
    guard path.device == nil || path.device == mount.device else {
      return .unknown(reason: Phrase("\(path.path) is hidden by another file system"))
    }
    return encryption(ofDevice: mount.device, depth: depth)
  }

  private func zfs(_ source: String) -> StorageEncryption {
    switch zfsEncryption[source] {
    case nil, "-", "":
      .unknown(reason: Phrase("the encryption of the ZFS data set \(source) is not readable"))
    case "off": .plain(device: "ZFS \(source)")
    case let algorithm?: .encrypted(by: ["ZFS (\(algorithm)) on \(source)"])
    }
  }

  /// A btrfs file system has no device numbers, and may have several members.
  private func btrfs(_ mount: Mount, depth: Int) -> StorageEncryption {
    guard let device = mount.sourceDevice.flatMap({ devices[$0] }),
      let members = btrfsMembers.first(where: { $0.contains(device.name) })
    else {
      return .unknown(
        reason: Phrase("the devices of the btrfs file system at \(mount.mountPoint) are not readable"))
    }
    return StorageEncryption(
      combining: members.map { name in
        devices.first { $0.value.name == name }.map { encryption(ofDevice: $0.key, depth: depth) }
          ?? .unknown(reason: Phrase("the device \(name) is not readable"))
      })
  }

  private func encryption(ofDevice number: String, depth: Int) -> StorageEncryption {
    guard depth < Self.deepestStack else {
      return .unknown(reason: Phrase("the stack of devices is too deep"))
    }
    guard let device = devices[number] else {
      return .unknown(reason: Phrase("the block device \(number) is not in /sys/dev/block"))
    }
    if let type = device.cryptType { return .encrypted(by: ["dm-crypt (\(type)) on \(device.name)"]) }
    if device.isMemory { return .memory(device.name) }
    if device.isRemote { return .unknown(reason: Phrase("\(device.name) is on another machine")) }
    if let file = device.backingFile { return encryption(of: file, depth: depth + 1) }
    if !device.parents.isEmpty {
      return StorageEncryption(combining: device.parents.map { encryption(ofDevice: $0, depth: depth + 1) })
    }
    if let uuid = device.mapperUUID {
      return .unknown(reason: Phrase("\(device.name) is a mapping of unknown kind (\(uuid))"))
    }
    return .plain(device: "/dev/\(device.name)")
  }
}
