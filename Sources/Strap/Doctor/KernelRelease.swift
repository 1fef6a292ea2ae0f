/// Which kernel runs, and whether it refuses the slower connection that a strap asks for.
///
/// Straps ask for a longer connection interval some 30 s after connecting, and end the link when they were refused for
/// too long: a Polar H9 or H10 after exactly 150 s. Linux refused from commit e4b019515f95 (January 2024) to commit
/// 806a5198c059 (May 2024), and the stable kernels between the releases that took over the one and the other.
struct KernelRelease: Equatable, Sendable {
  /// As `uname -r`.
  var release: String
  /// The version of kernel.org that it is built from, where that is known.
  var version: Version?
  /// What brings a newer kernel on this distribution.
  var upgrade: String?

  struct Version: Equatable, Sendable {
    var major, minor, patch: Int
  }

  /// Reads what the kernel says, which differs: Debian's release `6.1.0-20-amd64` is 6.1.85, as stands in the second
  /// text, and Ubuntu's `6.8.0-40-generic` is 6.8.12, as stands in a file of its own.
  init(release: String, version: String = "", signature: String? = nil, distributions: [String] = []) {
    self.release = release
    let debian = version.split(separator: " ").drop { $0 != "Debian" }.dropFirst().first
    let ubuntu = signature?.split(separator: " ").last
    self.version = [ubuntu, debian, release[...]].lazy.compactMap { $0 }.compactMap(Version.init).first
    upgrade = distributions.lazy.compactMap { Self.upgrades[$0] }.first
  }

  init(in tree: SystemTree) {
    let names = (tree.lines("/etc/os-release") ?? []).compactMap { line -> Substring? in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && ["ID", "ID_LIKE"].contains(parts[0]) ? parts[1] : nil
    }
    self.init(
      release: tree.line("/proc/sys/kernel/osrelease") ?? "",
      version: tree.line("/proc/sys/kernel/version") ?? "",
      signature: tree.line("/proc/version_signature"),
      distributions: names.flatMap { $0.split { " \"'".contains($0) } }.map(String.init))
  }

  private static let upgrades = [
    "debian": "sudo apt full-upgrade", "ubuntu": "sudo apt full-upgrade",
    "fedora": "sudo dnf upgrade --refresh",
    "arch": "sudo pacman -Syu", "suse": "sudo zypper update", "opensuse": "sudo zypper update",
  ]

  /// The patch levels that refuse, by series. 6.7 and 6.8 ended before the mending came; 6.5 ended before the fault, but
  /// Ubuntu carried it over.
  private static let refusing: [(series: (Int, Int), patches: Range<Int>)] = [
    ((4, 19), 309..<317), ((5, 4), 271..<279), ((5, 10), 212..<221), ((5, 15), 151..<162), ((6, 1), 81..<95),
    ((6, 5), 13..<100), ((6, 6), 21..<35), ((6, 7), 9..<100), ((6, 8), 0..<100), ((6, 9), 0..<6),
  ]

  /// Whether it is one of the kernels that refuse; a distribution may have mended its own since.
  var refusesSlowConnections: Bool {
    guard let version else { return false }
    return Self.refusing.contains {
      $0.series == (version.major, version.minor) && $0.patches.contains(version.patch)
    }
  }

  var finding: Finding {
    guard let version else {
      return Finding("kernel version", .unknown, "'\(release)' is no version that is known")
    }
    let name = version.description == release ? release : "\(release) (\(version))"
    guard refusesSlowConnections else { return Finding("kernel version", .ok, name) }
    return Finding(
      "kernel version", .warning,
      "\(name) is of those that refuse the connection a strap asks for: links may end after 30, 100 or 150 s",
      remedy: upgrade)
  }
}

extension KernelRelease.Version: CustomStringConvertible {
  /// From the beginning of a text such as `6.1.85-1` or `6.18`; nil where that is no version.
  init?(_ text: Substring) {
    let parts = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }.split(separator: ".").map { Int($0) }
    guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
    self.init(major: major, minor: minor, patch: parts.count > 2 ? parts[2] ?? 0 : 0)
  }

  var description: String { "\(major).\(minor).\(patch)" }
}
