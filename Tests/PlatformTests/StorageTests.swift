import Glibc
import TestSupport
import Testing

@testable import Platform

/// Encryption at rest, derived from the facts of different systems.
@Suite struct StorageEncryptionTests {
  private static let luks = "CRYPT-LUKS2-0123456789abcdef0123456789abcdef-home"

  /// A laptop: a disk with an EFI partition, LVM on LUKS, and the root and swap volumes in it.
  private static let laptop: [String: BlockDevice] = [
    "259:0": BlockDevice("nvme0n1"), "259:1": BlockDevice("nvme0n1p1", parents: ["259:0"]),
    "259:2": BlockDevice("nvme0n1p2", parents: ["259:0"]),
    "254:0": BlockDevice("dm-0", mapperUUID: luks, parents: ["259:2"]),
    "254:1": BlockDevice("dm-1", mapperUUID: "LVM-abc", parents: ["254:0"]),
    "254:2": BlockDevice("dm-2", mapperUUID: "LVM-def", parents: ["254:0"]),
  ]

  private func mount(_ device: String, _ type: String, at point: String = "/", source: String = "x") -> Mount
  {
    Mount(device: device, mountPoint: point, type: type, source: source)
  }

  private func encryption(
    _ mounts: [Mount], _ devices: [String: BlockDevice] = laptop, path: StoragePath = StoragePath("/home/a"),
    _ change: (inout StorageSnapshot) -> Void = { _ in }
  ) -> StorageEncryption {
    var snapshot = StorageSnapshot(mounts: mounts, devices: devices, swaps: [])
    change(&snapshot)
    return snapshot.encryption(of: path)
  }

  @Test func aVolumeOnLUKSIsEncrypted() {
    #expect(encryption([mount("254:1", "ext4")]) == .encrypted(by: ["dm-crypt (LUKS2) on dm-0"]))
    #expect(encryption([mount("254:0", "xfs")]) == .encrypted(by: ["dm-crypt (LUKS2) on dm-0"]))
  }

  @Test func aPartitionIsNotEncrypted() {
    #expect(encryption([mount("259:1", "ext4")]) == .plain(device: "/dev/nvme0n1"))
  }

  /// All members must be encrypted.
  @Test func aMirrorIsAsWeakAsItsWeakestMember() {
    var devices = Self.laptop
    devices["8:1"] = BlockDevice("sda1")
    devices["254:3"] = BlockDevice("dm-3", mapperUUID: "CRYPT-LUKS1-ff-b", parents: ["8:1"])
    devices["9:0"] = BlockDevice("md0", parents: ["254:0", "254:3"])
    devices["9:1"] = BlockDevice("md1", parents: ["254:0", "8:1"])
    devices["9:2"] = BlockDevice("md2", parents: ["254:0", "8:9"])
    #expect(
      encryption([mount("9:0", "ext4")], devices)
        == .encrypted(by: ["dm-crypt (LUKS2) on dm-0", "dm-crypt (LUKS1) on dm-3"]))
    #expect(encryption([mount("9:1", "ext4")], devices) == .plain(device: "/dev/sda1"))
    #expect(encryption([mount("9:2", "ext4")], devices).isUnknown)
  }

  /// dm-verity and dm-integrity have UUIDs of cryptsetup but do not encrypt.
  @Test(arguments: [
    "CRYPT-VERITY-00-root", "CRYPT-INTEGRITY-root", "CRYPT-SUBDEV-00", "LVM-CRYPT-LUKS2", "mpath-3600",
  ])
  func otherMappingsAreNotEncryption(uuid: String) {
    let devices = [
      "8:0": BlockDevice("sda"), "254:0": BlockDevice("dm-0", mapperUUID: uuid, parents: ["8:0"]),
    ]
    #expect(encryption([mount("254:0", "ext4")], devices) == .plain(device: "/dev/sda"))
  }

  @Test func mappingsOfUnknownKindAreUnknown() {
    #expect(encryption([mount("254:0", "ext4")], ["254:0": BlockDevice("dm-0", mapperUUID: "X-1")]).isUnknown)
    #expect(encryption([mount("43:0", "ext4")], ["43:0": BlockDevice("nbd0")]).isUnknown)
    #expect(encryption([mount("1:2", "ext4")], [:]).isUnknown)
  }

  @Test func aCycleOfDevicesEnds() {
    let devices = ["8:0": BlockDevice("a", parents: ["8:1"]), "8:1": BlockDevice("b", parents: ["8:0"])]
    #expect(encryption([mount("8:0", "ext4")], devices).isUnknown)
  }

  @Test func aLoopDeviceIsAsEncryptedAsItsFile() {
    var devices = Self.laptop
    devices["7:0"] = BlockDevice("loop0", backingFile: StoragePath("/image"))
    devices["7:1"] = BlockDevice("loop1", backingFile: StoragePath("/boot/image"))
    let mounts = [mount("254:1", "ext4"), mount("259:1", "vfat", at: "/boot")]
    #expect(
      encryption(mounts + [mount("7:0", "ext4", at: "/home")], devices)
        == .encrypted(by: ["dm-crypt (LUKS2) on dm-0"]))
    #expect(
      encryption(mounts + [mount("7:1", "ext4", at: "/home")], devices) == .plain(device: "/dev/nvme0n1"))
  }

  @Test func encryptedFileSystems() {
    let plain = mount("259:1", "ext4")
    for (type, name) in [("ecryptfs", "eCryptfs"), ("fuse.gocryptfs", "gocryptfs"), ("fuse.cryfs", "CryFS")] {
      #expect(encryption([plain, mount("0:50", type, at: "/home/a")]) == .encrypted(by: [name]))
    }
    #expect(encryption([plain, mount("0:50", "tmpfs", at: "/home")]) == .memory("tmpfs"))
    for type in ["nfs4", "overlay", "fuse.sshfs", "9p"] {
      #expect(encryption([plain, mount("0:50", type, at: "/home")]).isUnknown, "\(type)")
    }
  }

  @Test func fscryptEncryptsSingleFolders() {
    let mounts = [mount("259:1", "ext4")]
    let folder = StoragePath("/home/a", device: "259:1", isEncryptedByFscrypt: true)
    #expect(encryption(mounts, path: folder) == .encrypted(by: ["fscrypt"]))
    let other = StoragePath("/home/b", device: "259:1", isEncryptedByFscrypt: false)
    #expect(encryption(mounts, path: other) == .plain(device: "/dev/nvme0n1"))
  }

  @Test func zfsStatesItsProperty() {
    let mounts = [mount("0:40", "zfs", source: "tank/home")]
    #expect(encryption(mounts).isUnknown)
    #expect(
      encryption(mounts) { $0.zfsEncryption = ["tank/home": "off"] }
        == .plain(device: "ZFS tank/home"))
    #expect(
      encryption(mounts) { $0.zfsEncryption = ["tank/home": "aes-256-gcm"] }
        == .encrypted(by: ["ZFS (aes-256-gcm) on tank/home"]))
    #expect(encryption(mounts) { $0.zfsEncryption = ["tank": "aes-256-gcm", "tank/home": "-"] }.isUnknown)
  }

  @Test func everyMemberOfBtrfsCounts() {
    var mount = mount("0:30", "btrfs", source: "/dev/mapper/home")
    #expect(encryption([mount]).isUnknown)
    mount.sourceDevice = "254:0"
    #expect(encryption([mount]).isUnknown)
    #expect(
      encryption([mount]) { $0.btrfsMembers = [["dm-0"]] } == .encrypted(by: ["dm-crypt (LUKS2) on dm-0"]))
    #expect(
      encryption([mount]) { $0.btrfsMembers = [["dm-0", "nvme0n1p1"]] } == .plain(device: "/dev/nvme0n1"))
    #expect(encryption([mount]) { $0.btrfsMembers = [["dm-0", "sdz"]] }.isUnknown)
  }

  /// A file of another device than that of the mount point is on a file system that is not visible.
  @Test func hiddenFileSystemsAreUnknown() {
    #expect(encryption([mount("254:1", "ext4")], path: StoragePath("/home/a", device: "259:1")).isUnknown)
    #expect(encryption([]).isUnknown)
  }

  @Test func swapIsEvaluatedLikeFiles() {
    let snapshot = StorageSnapshot(
      mounts: [mount("254:1", "ext4"), mount("259:1", "ext4", at: "/plain")],
      devices: Self.laptop.merging(["252:0": BlockDevice("zram0")]) { $1 })
    #expect(snapshot.encryption(of: SwapArea(path: "/dev/dm-2", device: "254:2")).isEncrypted)
    #expect(snapshot.encryption(of: SwapArea(path: "/swap", file: StoragePath("/swap"))).isEncrypted)
    #expect(
      snapshot.encryption(of: SwapArea(path: "/plain/s", file: StoragePath("/plain/s")))
        == .plain(device: "/dev/nvme0n1"))
    #expect(snapshot.encryption(of: SwapArea(path: "/dev/zram0", device: "252:0")) == .memory("zram0"))
    #expect(snapshot.encryption(of: SwapArea(path: "/dev/gone")).isUnknown)
  }
}

@Suite struct StorageReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func put(_ text: String, _ path: String) throws {
    var made = folder.path
    for part in path.split(separator: "/").dropLast() {
      made += "/\(part)"
      mkdir(made, 0o700)
    }
    try folder.write(text, to: path)
  }

  @Test(arguments: [
    ("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw", "98:0", "/mnt2", "ext3", "/dev/root"),
    ("27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard", "254:0", "/", "ext4", "/dev/vda"),
    (
      "40 27 0:50 / /a\\040b\\134c rw shared:1 master:2 - fuse.x x\\011y rw", "0:50", "/a b\\c", "fuse.x",
      "x\ty"
    ),
  ]) func aLineOfMountinfo(line: String, device: String, point: String, type: String, source: String) {
    #expect(Mount(line: line) == Mount(device: device, mountPoint: point, type: type, source: source))
  }

  @Test(arguments: ["", "-", "1 2 3 4 5 6 -", "36 35 98:0 / / rw ext3 /dev/root", "a b c d e - f g"])
  func malformedLinesAreIgnored(line: String) { #expect(Mount(line: line) == nil) }

  @Test func theLongestAndLastMountContainsAPath() {
    let mounts = ["/", "/home", "/home/a", "/home", "/homes"].enumerated().map {
      Mount(device: "8:\($0.offset)", mountPoint: $0.element, type: "ext4", source: "")
    }
    #expect(mounts.containing("/home/b")?.device == "8:3")
    #expect(mounts.containing("/home/a/b")?.device == "8:2")
    #expect(mounts.containing("/homesick")?.device == "8:0")
    #expect(mounts.containing("relative") == nil)
  }

  @Test func devicesAreReadFromSysfs() throws {
    try put("259:0\n", "sys/devices/nvme0n1/dev")
    try put("2\n", "sys/devices/nvme0n1/nvme0n1p2/partition")
    try put("259:2\n", "sys/devices/nvme0n1/nvme0n1p2/dev")
    try put("CRYPT-LUKS2-00-home\n", "sys/devices/dm-0/dm/uuid")
    try put("259:2\n", "sys/devices/dm-0/slaves/nvme0n1p2/dev")
    try put("/nowhere/image\n", "sys/devices/loop0/loop/backing_file")
    try put("", "sys/dev/block/.keep")
    for (number, target) in [
      ("259:0", "nvme0n1"), ("259:2", "nvme0n1/nvme0n1p2"), ("254:0", "dm-0"), ("7:0", "loop0"),
    ] {
      symlink("../../devices/\(target)", folder.file("sys/dev/block/\(number)"))
    }
    let devices = BlockDevice.all(in: SystemTree(root: folder.path))
    #expect(devices["259:0"] == BlockDevice("nvme0n1"))
    #expect(devices["259:2"] == BlockDevice("nvme0n1p2", parents: ["259:0"]))
    #expect(devices["254:0"] == BlockDevice("dm-0", mapperUUID: "CRYPT-LUKS2-00-home", parents: ["259:2"]))
    #expect(devices["7:0"]?.backingFile?.path == "/")
    #expect(devices.count == 4)
  }

  @Test func swapsAreReadFromProc() throws {
    let tree = SystemTree(root: folder.path)
    #expect(SwapArea.all(in: tree) == nil)
    try put("Filename\tType\tSize\tUsed\tPriority\n", "proc/swaps")
    #expect(SwapArea.all(in: tree) == [])
    try put(
      "Filename\tType\n/dev/no\\040such  partition 8 0 -2\n\(folder.path)/proc/swaps file 8 0 -3\nx\n",
      "proc/swaps")
    let swaps = try #require(SwapArea.all(in: tree))
    #expect(swaps.map(\.path) == ["/dev/no such", "\(folder.path)/proc/swaps"])
    #expect(swaps[0].device == nil && swaps[1].file?.device != nil)
  }

  /// The running system: each path is found in its own mount table, or the result is unknown.
  @Test func theRunningSystemIsRead() throws {
    let snapshot = StorageSnapshot(in: SystemTree())
    let path = StoragePath(of: folder.path + "/missing/file")
    #expect(path.path == StoragePath(of: folder.path).path && path.device != nil)
    #expect(!snapshot.mounts.isEmpty)
    #expect(StoragePath(of: "/proc/self/no such").path.hasPrefix("/proc/"))
    _ = snapshot.encryption(of: path)
    #expect(snapshot.encryption(of: StoragePath(of: "/proc/self")).isUnknown)
  }
}

extension StorageEncryption {
  fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
  fileprivate var isEncrypted: Bool { if case .encrypted = self { true } else { false } }
}
