/// The facts about mounted file systems, block devices and swap from which ``StorageEncryption`` is derived.
package struct StorageSnapshot: Equatable, Sendable {
  package var mounts: [Mount]
  /// By their numbers, such as `254:0`.
  package var devices: [String: BlockDevice]
  /// Unknown if the kernel does not report them.
  package var swaps: [SwapArea]?
  /// The names of the members of each btrfs file system, such as `dm-0`.
  package var btrfsMembers: [[String]]
  /// The property `encryption` of ZFS data sets, as `zfs get` prints it.
  package var zfsEncryption: [String: String]

  package init(
    mounts: [Mount] = [], devices: [String: BlockDevice] = [:], swaps: [SwapArea]? = nil,
    btrfsMembers: [[String]] = [], zfsEncryption: [String: String] = [:]
  ) {
    self.mounts = mounts
    self.devices = devices
    self.swaps = swaps
    self.btrfsMembers = btrfsMembers
    self.zfsEncryption = zfsEncryption
  }

  /// Reads everything except ``zfsEncryption``, which only the program `zfs` can read.
  package init(in tree: SystemTree) {
    mounts = (tree.lines("/proc/self/mountinfo", limit: 1 << 20) ?? []).compactMap { line in
      guard var mount = Mount(line: line) else { return nil }
      if mount.type == "btrfs" { mount.sourceDevice = StoragePath.blockDevice(at: mount.source) }
      return mount
    }
    devices = BlockDevice.all(in: tree)
    swaps = SwapArea.all(in: tree)
    btrfsMembers = tree.entries("/sys/fs/btrfs").map { tree.entries("/sys/fs/btrfs/\($0)/devices") }
    zfsEncryption = [:]
  }
}

/// A line of `/proc/swaps`.
package struct SwapArea: Equatable, Sendable {
  package var path: String
  /// The numbers of the block device, if the area is one and they are known.
  package var device: String?
  /// The file, if the area is not a block device.
  package var file: StoragePath?

  package init(path: String, device: String? = nil, file: StoragePath? = nil) {
    self.path = path
    self.device = device
    self.file = file
  }

  /// The areas in use, if the kernel reports them.
  package static func all(in tree: SystemTree) -> [SwapArea]? {
    tree.lines("/proc/swaps", limit: 1 << 16)?.dropFirst().compactMap { line in
      let fields = line.split { " \t".contains($0) }.map(String.init)
      guard fields.count >= 2 else { return nil }
      let path = Mount.unescaped(fields[0])
      return fields[1] == "file"
        ? SwapArea(path: path, file: StoragePath(of: path))
        : SwapArea(path: path, device: StoragePath.blockDevice(at: path))
    }
  }
}
