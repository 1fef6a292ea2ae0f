import Localization
import Platform

/// A Bluetooth radio switch of the kernel, from `/sys/class/rfkill`.
struct RFKillSwitch: Equatable, Sendable {
  /// The name of the controller, such as `hci0`, or of the machine's switch.
  var name: String
  var isSoftBlocked: Bool
  var isHardBlocked: Bool

  var isBlocked: Bool { isSoftBlocked || isHardBlocked }

  static func bluetooth(in tree: SystemTree = SystemTree()) -> [RFKillSwitch] {
    let folder = "/sys/class/rfkill"
    return tree.entries(folder).compactMap { entry in
      guard tree.line("\(folder)/\(entry)/type") == "bluetooth" else { return nil }
      return RFKillSwitch(
        name: tree.line("\(folder)/\(entry)/name") ?? entry,
        isSoftBlocked: tree.line("\(folder)/\(entry)/soft") == "1",
        isHardBlocked: tree.line("\(folder)/\(entry)/hard") == "1")
    }
  }

  static func finding(_ switches: [RFKillSwitch]) -> Finding {
    // A hard block is reported first, because software cannot remove it.
    let blocked = switches.filter(\.isBlocked)
    guard let worst = blocked.first(where: \.isHardBlocked) ?? blocked.first else {
      let evidence =
        switches.isEmpty
        ? Phrase("no rfkill switch for Bluetooth")
        : Phrase("\(switches.map(\.name).joined(separator: ", ")) not blocked")
      return Finding("rfkill", .ok, evidence)
    }
    let evidence =
      worst.isHardBlocked
      ? Phrase("\(worst.name) is blocked by a hardware switch (hard)")
      : Phrase("\(worst.name) is blocked by software (soft)")
    let problem = StrapError.adapterBlocked(worst.name, hard: worst.isHardBlocked)
    return Finding("rfkill", .failed, evidence, remedy: problem.command)
  }
}

extension BluetoothSnapshot.AdapterState {
  /// Uses the rfkill switches to determine why an adapter is off, if BlueZ does not report it, and whether the block is hard.
  init(_ adapter: Adapter, _ switches: [RFKillSwitch]) {
    guard adapter.power != .on else {
      self = .ready
      return
    }
    let own = switches.filter { $0.name == adapter.name }
    let blocking = (own.isEmpty ? switches : own).filter(\.isBlocked)
    if adapter.power == .off, blocking.isEmpty {
      self = .off(name: adapter.name)
    } else {
      self = .blocked(name: adapter.name, hard: blocking.contains(where: \.isHardBlocked))
    }
  }
}
