import Localization
import Platform

/// The version of the running kernel, and whether it rejects the connection parameters that straps request.
///
/// Straps request a longer connection interval about 30 s after connecting, and end the link if the request is rejected for
/// too long: a Polar H9 or H10 after exactly 150 s. Linux rejected it from commit e4b019515f95 (January 2024) to commit
/// 806a5198c059 (May 2024); stable kernels are affected between their backports of the two commits.
struct KernelRelease: Equatable, Sendable {
  /// The output of `uname -r`.
  var release: String
  /// The kernel.org version that it is based on, if known.
  var version: Version?
  /// The command that upgrades the kernel on this distribution, if known.
  var upgrade: String?

  struct Version: Equatable, Sendable {
    var major, minor, patch: Int
  }

  /// Determines the version from the texts of the kernel: Debian's release `6.1.0-20-amd64` is 6.1.85 according to `version`,
  /// and Ubuntu's `6.8.0-40-generic` is 6.8.12 according to `signature`.
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

  /// The affected patch levels by series. 6.7 and 6.8 ended before the fix; 6.5 ended before the fault, which Ubuntu backported.
  private static let affected: [(series: (Int, Int), patches: Range<Int>)] = [
    ((4, 19), 309..<317), ((5, 4), 271..<279), ((5, 10), 212..<221), ((5, 15), 151..<162), ((6, 1), 81..<95),
    ((6, 5), 13..<100), ((6, 6), 21..<35), ((6, 7), 9..<100), ((6, 8), 0..<100), ((6, 9), 0..<6),
  ]

  /// Whether the version is affected. The distribution may have backported the fix.
  var refusesSlowConnections: Bool {
    guard let version else { return false }
    return Self.affected.contains {
      $0.series == (version.major, version.minor) && $0.patches.contains(version.patch)
    }
  }

  var finding: Finding {
    guard let version else {
      return Finding("kernel version", .unknown, Phrase("'\(release)' is not a known version"))
    }
    let name = version.description == release ? release : "\(release) (\(version))"
    guard refusesSlowConnections else { return Finding("kernel version", .ok, name) }
    return Finding(
      "kernel version", .warning,
      Phrase(
        "\(name) may reject the connection parameters that straps request: links may end after 30, 100 or 150 s"
      ),
      remedy: upgrade)
  }
}

extension KernelRelease.Version: CustomStringConvertible {
  /// Parses the beginning of a text such as `6.1.85-1` or `6.18`. Fails if it does not begin with a version.
  init?(_ text: Substring) {
    let parts = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }.split(separator: ".").map { Int($0) }
    guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
    self.init(major: major, minor: minor, patch: parts.count > 2 ? parts[2] ?? 0 : 0)
  }

  var description: String { "\(major).\(minor).\(patch)" }
}
