/// A block device, from `/sys/dev/block`.
package struct BlockDevice: Equatable, Sendable {
  /// The kernel's name, such as `dm-0` or `sda1`.
  package var name: String
  /// The UUID of a device-mapper device, whose prefix is the subsystem that created it.
  package var mapperUUID: String?
  /// The numbers of the devices that this one is made of: the disk of a partition, the members of a volume.
  package var parents: [String] = []
  /// The file of a loop device.
  package var backingFile: StoragePath?

  package init(
    _ name: String, mapperUUID: String? = nil, parents: [String] = [], backingFile: StoragePath? = nil
  ) {
    self.name = name
    self.mapperUUID = mapperUUID
    self.parents = parents
    self.backingFile = backingFile
  }

  /// All devices by their numbers, such as `254:0`.
  package static func all(in tree: SystemTree) -> [String: BlockDevice] {
    let folder = "/sys/dev/block"
    var devices: [String: BlockDevice] = [:]
    for number in tree.entries(folder) {
      let path = "\(folder)/\(number)"
      let slaves = tree.entries("\(path)/slaves").compactMap { tree.line("\(path)/slaves/\($0)/dev") }
      let disk = tree.line("\(path)/partition").flatMap { _ in tree.line("\(path)/../dev") }
      devices[number] = BlockDevice(
        tree.target(path) ?? number, mapperUUID: tree.line("\(path)/dm/uuid"),
        parents: slaves + (disk.map { [$0] } ?? []),
        backingFile: tree.line("\(path)/loop/backing_file").map { StoragePath(of: $0) })
    }
    return devices
  }

  /// The kind of encryption of a dm-crypt device, such as `LUKS2`. Only dm-crypt counts: dm-verity and dm-integrity also have
  /// UUIDs of cryptsetup, but do not encrypt.
  var cryptType: String? {
    guard let parts = mapperUUID?.split(separator: "-"), parts.count >= 2, parts[0] == "CRYPT" else {
      return nil
    }
    return ["LUKS1", "LUKS2", "PLAIN", "LOOPAES", "TCRYPT", "BITLK", "FVAULT2"].first { $0 == parts[1] }
  }

  /// Whether the device keeps its content in memory.
  var isMemory: Bool { isNumbered("zram") || isNumbered("ram") }
  /// Whether the content is on another machine.
  var isRemote: Bool { ["nbd", "rbd", "drbd"].contains(where: isNumbered) }

  /// Whether the name is `prefix` and a number.
  private func isNumbered(_ prefix: String) -> Bool {
    name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isNumber == true
  }
}
