import Testing

@testable import Strap

@Suite struct KernelReleaseTests {
  static let kernels: [(String, String, String?, refuses: Bool)] = [
    // The release, `uname -v`, and Ubuntu's /proc/version_signature.
    ("6.1.0-20-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.85-1 (2024-04-11)", nil, true),
    ("6.1.0-22-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.94-1 (2024-06-21)", nil, true),
    ("6.1.0-23-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.99-1 (2024-07-15)", nil, false),
    ("6.1.0-18-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)", nil, false),
    ("6.8.0-40-generic", "#40~22.04.3-Ubuntu SMP", "Ubuntu 6.8.0-40.40~22.04.3-generic 6.8.12", true),
    ("6.5.0-35-generic", "#35~22.04.1-Ubuntu SMP", "Ubuntu 6.5.0-35.35~22.04.1-generic 6.5.13", true),
    ("6.8.8-300.fc40.x86_64", "#1 SMP PREEMPT_DYNAMIC", nil, true),
    ("6.9.6-200.fc40.x86_64", "#1 SMP PREEMPT_DYNAMIC", nil, false), ("6.9.5-arch1-1", "#1 SMP", nil, true),
    ("6.6.20", "", nil, false), ("6.6.21", "", nil, true), ("6.6.34", "", nil, true),
    ("6.6.35", "", nil, false),
    ("6.10.0", "", nil, false), ("6.18.44-fc-v595", "#1 SMP", nil, false), ("5.15.0", "", nil, false),
    ("5.15.160", "", nil, true), ("", "", nil, false), ("nonsense", "Debian", "Ubuntu", false),
    ("99999999999999999999.1.1", "", nil, false),
  ]

  @Test(arguments: kernels)
  func affectedKernelVersionsAreRecognized(
    _ release: String, _ version: String, _ signature: String?, refuses: Bool
  ) {
    let kernel = KernelRelease(release: release, version: version, signature: signature)
    #expect(kernel.refusesSlowConnections == refuses)
    #expect((kernel.finding.state == .warning) == refuses)
  }

  @Test(arguments: [
    (["debian"], "sudo apt full-upgrade"), (["linuxmint", "ubuntu", "debian"], "sudo apt full-upgrade"),
    (["fedora"], "sudo dnf upgrade --refresh"), (["manjaro", "arch"], "sudo pacman -Syu"), (["nixos"], nil),
  ])
  func theUpgradeCommandMatchesTheDistribution(_ distributions: [String], _ command: String?) {
    #expect(KernelRelease(release: "6.8.8", distributions: distributions).finding.remedy == command)
  }

  @Test func malformedVersionsAreUnknown() {
    #expect(KernelRelease(release: "nonsense").finding.state == .unknown)
  }
}
