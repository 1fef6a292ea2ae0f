import Glibc
import Localization
import Platform
import Reports
import Strap
import Subprocess

/// The text of `doctor --report`, for a report of a fault. Its readers are developers, so it is in English.
struct DoctorReport {
  private let sections: [(title: String, lines: [String])]
  /// What was replaced, by its placeholder.
  private let removed: [String]

  private static let omissions = [
    "measurements, beats, journal entries and marks", "names of profiles and passwords",
    "targets of the setting 'publish', except for their schemes",
  ]

  /// - Parameter findings: those of `doctor`.
  init(_ findings: [Finding], _ context: CommandContext) async {
    let raw = [
      ("Versions", Self.versions(context.environment)),
      ("Settings", Self.settings(context)),
      ("Checks", findings.map(Self.line)),
      ("Messages of the services in the last two days", await Self.journal()),
    ]
    var redaction = Redaction(context.environment)
    sections = raw.map { title, lines in (title, lines.map { redaction.applied(to: $0) }) }
    removed = redaction.removed
  }

  var text: String {
    let parts = sections.map { section in
      "## \(section.title)\n\n"
        + (section.lines.isEmpty ? ["none"] : section.lines).map { "    \($0)\n" }.joined()
    }
    let omitted = (Self.omissions + removed).map { "- \($0)\n" }.joined()
    return "# Report of stressmon doctor\n\n" + parts.joined(separator: "\n") + "\n## Left out\n\n" + omitted
  }

  private static func versions(_ environment: ProcessEnvironment) -> [String] {
    var system = utsname()
    unsafe uname(&system)
    let kernel = unsafe withUnsafeBytes(of: &system.release) { unsafe Self.text($0) }
    let machine = unsafe withUnsafeBytes(of: &system.machine) { unsafe Self.text($0) }
    let release = (try? ByteSource(path: "/etc/os-release").readAll(limit: 1 << 16)).flatMap(\.self) ?? []
    let name = String(decoding: release, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
    return Stressmon.versions.text.split(separator: "\n").map(String.init) + [
      "system \(name ?? "unknown")", "kernel \(kernel) \(machine)",
      "language \(environment["LC_ALL"] ?? environment["LANG"] ?? "unknown")",
    ]
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The settings in force, without names of people and without targets.
  private static func settings(_ context: CommandContext) -> [String] {
    Configuration.Key.allCases.compactMap { key in
      guard let (value, origin) = context.configuration.effective(key, context.environment) else {
        return nil
      }
      let shown =
        switch key {
        case .profile: value == ProfileCheck.usual ? value : "<name>"
        case .strap: "<strap>"
        case .publish:
          value.split(separator: " ").map { "\($0.prefix { $0 != ":" }):..." }.joined(separator: " ")
        default: value
        }
      return "\(key.rawValue) = \(shown) (\(origin.rawValue))"
    }
  }

  private static func line(_ finding: Finding) -> String {
    "\(finding.state.rawValue)  \(finding.name): \(finding.evidence)"
  }

  /// The latest messages of the units of the user, if journalctl can read them.
  private static func journal() async -> [String] {
    let units = ["stressmon", "stressmon-publish", "stressmon-serve", "stressmon-sync"]
    let arguments =
      ["--user", "--quiet", "--no-pager", "--lines=100", "--since=-2d", "--output=short-iso"]
      + units.map { "--unit=\($0).service" }
    let result = try? await run(
      .name("journalctl"), arguments: Arguments(arguments),
      output: .string(limit: 1 << 18), error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return ["journalctl is not available"] }
    return result.standardOutput.split(separator: "\n").map(String.init)
  }
}

/// Replaces what identifies a person or a device.
private struct Redaction {
  private let home: String?
  private let host: String
  private var addresses: [String: Int] = [:]
  private var hasSerial = false
  private var hasHome = false

  init(_ environment: ProcessEnvironment) {
    home = environment["HOME"].flatMap { $0.count > 1 ? $0 : nil }
    var name = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&name, name.count - 1)
    host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  mutating func applied(to line: String) -> String {
    var text = line
    if let home, text.contains(home) {
      text = text.replacing(home, with: "~")
      hasHome = true
    }
    if !host.isEmpty { text = text.replacing(" \(host) ", with: " <host> ") }
    for match in text.matches(of: /(?:[0-9A-Fa-f]{2}[:_]){5}[0-9A-Fa-f]{2}/) {
      let address = String(match.output)
      let number = addresses[address.uppercased().replacing("_", with: ":"), default: addresses.count + 1]
      addresses[address.uppercased().replacing("_", with: ":")] = number
      text = text.replacing(address, with: "<address \(number)>")
    }
    // Names of straps end with a serial number, such as Polar H10 0A1B2C3D.
    let shortened = text.replacing(/(Polar [A-Za-z0-9]+|HRM[A-Za-z-]*|TICKR[A-Za-z ]*) ?[0-9A-F]{4,}/) {
      "\($0.output.1) <serial>"
    }
    hasSerial = hasSerial || shortened != text
    return shortened
  }

  var removed: [String] {
    (addresses.isEmpty ? [] : ["\(addresses.count) Bluetooth addresses, as <address N>"])
      + (hasSerial ? ["serial numbers of straps, as <serial>"] : [])
      + (hasHome ? ["the path of the home directory, as ~"] : []) + ["the name of the machine, as <host>"]
  }
}
