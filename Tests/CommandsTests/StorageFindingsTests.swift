import Platform
import Strap
import Testing

@testable import Commands

/// The findings of `doctor` on encryption at rest.
@Suite struct StorageFindingsTests {
  private static let encrypted = BlockDevice("dm-0", mapperUUID: "CRYPT-LUKS2-00-home", parents: ["8:1"])

  private func findings(
    _ devices: [String: BlockDevice] = ["8:1": BlockDevice("sda1"), "254:0": encrypted],
    mount: String = "254:0",
    type: String = "ext4", swaps: [SwapArea]? = []
  ) -> [Finding] {
    let mount = Mount(device: mount, mountPoint: "/", type: type, source: "tank/home")
    return StorageFindings(
      snapshot: StorageSnapshot(mounts: [mount], devices: devices, swaps: swaps),
      places: [
        StorageFindings.Place(name: "database storage", path: StoragePath("/data"), remedy: "encrypt it")
      ]
    ).findings
  }

  @Test func encryptedStorageIsReportedWithItsMechanism() {
    #expect(
      findings() == [
        Finding("database storage", .ok, "/data is encrypted by dm-crypt (LUKS2) on dm-0"),
        Finding("swap", .ok, "no swap is in use"),
      ])
  }

  @Test func plainStorageHasARemedy() {
    let finding = findings(mount: "8:1")[0]
    #expect(finding.state == .warning && finding.remedy == "encrypt it")
    #expect(finding.evidence.contains("/dev/sda1") && finding.evidence.contains("not encrypted"))
  }

  @Test func whatIsUnknownIsReportedAsUnknown() {
    let zfs = findings(mount: "0:9", type: "zfs")[0]
    #expect(zfs.state == .unknown && zfs.remedy == "zfs get encryption tank/home")
    #expect(zfs.evidence.hasPrefix("could not be determined: "))
    let network = findings(mount: "0:9", type: "nfs4")[0]
    #expect(network.state == .unknown && network.remedy == nil)
    #expect(findings(swaps: nil)[1].state == .unknown)
  }

  @Test func theWorstSwapDetermines() {
    let sealed = SwapArea(path: "/dev/dm-0", device: "254:0")
    let plain = SwapArea(path: "/dev/sda1", device: "8:1")
    let gone = SwapArea(path: "/dev/gone")
    #expect(findings(swaps: [sealed])[1].state == .ok)
    #expect(findings(swaps: [sealed, gone])[1].state == .unknown)
    let worst = findings(swaps: [sealed, gone, plain])[1]
    #expect(worst.state == .warning && worst.remedy == "sudo swapoff /dev/sda1")
    #expect(
      worst.evidence.contains("/dev/dm-0 is encrypted") && worst.evidence.contains("/dev/gone could not"))
  }
}
