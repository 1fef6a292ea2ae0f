import Glibc

/// A radio switch of the kernel for Bluetooth, from `/sys/class/rfkill`.
struct RFKillSwitch: Equatable, Sendable {
  /// Of the controller, as `hci0`; or of the machine's own switch.
  var name: String
  var isSoftBlocked: Bool
  var isHardBlocked: Bool

  static func bluetooth(in folder: String = "/sys/class/rfkill") -> [RFKillSwitch] {
    entries(of: folder).sorted().compactMap { entry in
      let folder = "\(folder)/\(entry)"
      guard line(of: "\(folder)/type") == "bluetooth" else { return nil }
      return RFKillSwitch(
        name: line(of: "\(folder)/name") ?? entry, isSoftBlocked: line(of: "\(folder)/soft") == "1",
        isHardBlocked: line(of: "\(folder)/hard") == "1")
    }
  }

  static func diagnosis(_ switches: [RFKillSwitch]) -> Diagnosis {
    let blocked = switches.filter { $0.isSoftBlocked || $0.isHardBlocked }
    guard let first = blocked.first else {
      let evidence =
        switches.isEmpty
        ? "no switch for Bluetooth" : "\(switches.map(\.name).joined(separator: ", ")) not blocked"
      return Diagnosis("rfkill", .ok, evidence)
    }
    let kind = first.isHardBlocked ? "by a switch of the machine" : "by software"
    let problem = StrapError.adapterBlocked(first.name, hard: first.isHardBlocked)
    return Diagnosis("rfkill", .failed, "\(first.name) is blocked \(kind)", remedy: problem.command)
  }

  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The first line of a small file.
  private static func line(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension LinkWorld.AdapterState {
  /// The rfkill switches tell why an adapter is off where BlueZ does not, and whether software can help it.
  init(_ adapter: Adapter, _ switches: [RFKillSwitch]) {
    guard adapter.power != .on else {
      self = .ready
      return
    }
    let own = switches.filter { $0.name == adapter.name }
    let blocking = (own.isEmpty ? switches : own).filter { $0.isSoftBlocked || $0.isHardBlocked }
    if adapter.power == .off, blocking.isEmpty {
      self = .off(name: adapter.name)
    } else {
      self = .blocked(name: adapter.name, hard: blocking.contains(where: \.isHardBlocked))
    }
  }
}
