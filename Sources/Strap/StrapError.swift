package import HeartRate

/// Why a strap cannot be used. The description states what failed, BlueZ's message, and the command to try next.
package enum StrapError: Error, Equatable, Sendable {
  /// No connection to the system bus.
  case noBus(String)
  /// The name org.bluez has no owner.
  case noBluetoothd(String)
  /// The bus denies this user access to org.bluez.
  case accessDenied(String)
  /// There is no adapter, or not the requested one.
  case noAdapter(wanted: String?, present: [String])
  case adapterOff(String)
  /// Blocked by rfkill; `hard` by a hardware switch.
  case adapterBlocked(String, hard: Bool)
  /// No matching strap answered within the search time.
  case notFound(StrapSelection, seen: [FoundStrap])
  /// Several matching straps answered.
  case ambiguous(StrapSelection, [FoundStrap])
  case connectFailed(StrapIdentity, String)
  /// Connected, but it has no Heart Rate Measurement characteristic (0x2A37).
  case noHeartRate(StrapIdentity)
  case subscribeFailed(StrapIdentity, String)
  /// Another program has exclusive access to the notifications.
  case notifyAcquired(StrapIdentity, String)
  /// The strap sends its data only after pairing.
  case pairingNeeded(StrapIdentity, String)
  case pairingFailed(StrapIdentity, String)
  /// The adapter does not know the strap, so there is no pairing to remove.
  case notPaired(StrapSelection)
  /// BlueZ sent an unexpected answer.
  case unexpected(String)
}

extension StrapError: CustomStringConvertible {
  package var description: String { "\(problem). \(remedy)" }

  /// What failed.
  package var problem: String {
    switch self {
    case .noBus(let message): "cannot reach the system bus (\(message))"
    case .noBluetoothd(let message): "the Bluetooth service bluetoothd does not answer (\(message))"
    case .accessDenied(let message): "this user has no permission to use bluetoothd (\(message))"
    case .noAdapter(nil, _): "there is no Bluetooth adapter"
    case .noAdapter(let wanted?, let present):
      "there is no Bluetooth adapter \(wanted)"
        + (present.isEmpty ? "" : " (there is \(present.joined(separator: ", ")))")
    case .adapterOff(let adapter): "the Bluetooth adapter \(adapter) is off"
    case .adapterBlocked(let adapter, _): "the Bluetooth adapter \(adapter) is blocked by rfkill"
    case .notFound(let selection, let seen):
      "no \(selection) answered"
        + (seen.isEmpty ? "" : "; found: " + seen.map(\.strap.description).joined(separator: ", "))
    case .ambiguous(let selection, let found):
      "more than one \(selection) answered: "
        + found.map(\.strap.description).joined(separator: ", ")
    case .connectFailed(let strap, let message): "cannot connect to \(strap) (\(message))"
    case .noHeartRate(let strap): "\(strap) is connected but has no heart rate (characteristic 0x2A37)"
    case .subscribeFailed(let strap, let message): "\(strap) does not send its heart rate (\(message))"
    case .notifyAcquired(let strap, let message):
      "another program on this machine has exclusive access to the heart rate of \(strap) (\(message))"
    case .pairingNeeded(let strap, let message): "\(strap) requires pairing (\(message))"
    case .pairingFailed(let strap, let message): "cannot pair with \(strap) (\(message))"
    case .notPaired(let selection): "no \(selection) is paired with this adapter"
    case .unexpected(let message): "bluetoothd sent an unexpected answer (\(message))"
    }
  }

  /// The command that solves the problem, unless it depends on the circumstances.
  package var command: String? {
    switch self {
    case .noBus: "sudo systemctl start dbus"
    case .noBluetoothd: "sudo systemctl start bluetooth"
    case .accessDenied: "sudo usermod -aG bluetooth $USER"
    case .adapterOff: "bluetoothctl power on"
    case .adapterBlocked(_, hard: false): "rfkill unblock bluetooth"
    case .adapterBlocked(_, hard: true): "rfkill list"
    default: nil
    }
  }

  /// What to do next.
  package var remedy: String { remedy(choosingWith: "live --strap") }

  /// What to do next. If a strap has to be selected, the advice is this command with the strap's address.
  package func remedy(choosingWith choice: String) -> String {
    switch self {
    case .noBus, .noBluetoothd: "Start it with: \(command ?? "")"
    case .accessDenied: "Join its group with: \(command ?? ""), then log in again"
    case .noAdapter(_, let present):
      present.isEmpty
        ? "Plug one in, then try: stressmon doctor" : "Choose one with: --adapter \(present[0])"
    case .adapterOff: "Switch it on with: \(command ?? "")"
    case .adapterBlocked(_, hard: false): "Unblock it with: \(command ?? "")"
    case .adapterBlocked(_, hard: true):
      "Use the hardware switch or key, then check with: \(command ?? "")"
    case .notFound(_, let seen):
      seen.isEmpty
        ? "Wear the strap with moist electrodes, disconnect it from phones and watches, then try: stressmon scan"
        : "Choose one of those with: stressmon \(choice) \(seen[0].strap.address)"
    case .ambiguous(_, let found):
      "Choose one with: stressmon \(choice) \(found.first?.strap.address ?? "ADDRESS")"
    case .connectFailed(let strap, _):
      "End its link to phone or watch, move closer, then try: stressmon live --strap \(strap.address)"
    case .noHeartRate: "List the straps in range with: stressmon scan"
    case .subscribeFailed(let strap, _), .pairingNeeded(let strap, _):
      "Pair it with: stressmon pair \(strap.address)"
    case .notifyAcquired: "Close that program, then retry"
    case .pairingFailed(let strap, _):
      "Most straps need no pairing, try: stressmon live --strap \(strap.address); "
        + "to pair again: stressmon unpair \(strap.address)"
    case .notPaired: "List the straps in range with: stressmon scan"
    case .unexpected: "Find the cause with: stressmon doctor"
    }
  }
}
