public import HeartRate

/// Why a strap cannot be used: what was tried, BlueZ's own words, and what to type next.
public enum StrapError: Error, Equatable, Sendable {
  /// No connection to the system bus.
  case noBus(String)
  /// Nobody on the bus answers as org.bluez.
  case noBluetoothd(String)
  /// The bus does not let this user talk to org.bluez.
  case accessDenied(String)
  /// No adapter at all, or not the one asked for.
  case noAdapter(wanted: String?, present: [String])
  case adapterOff(String)
  /// Switched off by rfkill; `hard` by a switch on the machine itself.
  case adapterBlocked(String, hard: Bool)
  /// Nothing that fits answered within the time.
  case notFound(StrapSelection, seen: [FoundStrap])
  /// Several answered that fit.
  case ambiguous(StrapSelection, [FoundStrap])
  case connectFailed(StrapIdentity, String)
  /// Connected, but it has no Heart Rate Measurement characteristic (0x2A37).
  case noHeartRate(StrapIdentity)
  case subscribeFailed(StrapIdentity, String)
  /// Another program has taken the notifications for itself alone.
  case notifyAcquired(StrapIdentity, String)
  /// The strap wants to be paired before it gives its data.
  case pairingNeeded(StrapIdentity, String)
  case pairingFailed(StrapIdentity, String)
  /// The strap is not known to this adapter, so there is no pairing to remove.
  case notPaired(StrapSelection)
  /// BlueZ answered something else than was asked for.
  case unexpected(String)
}

extension StrapError: CustomStringConvertible {
  public var description: String { "\(problem). \(remedy)" }

  /// What is wrong.
  public var problem: String {
    switch self {
    case .noBus(let message): "cannot reach the system bus (\(message))"
    case .noBluetoothd(let message): "the Bluetooth service bluetoothd does not answer (\(message))"
    case .accessDenied(let message): "this user may not talk to bluetoothd (\(message))"
    case .noAdapter(nil, _): "there is no Bluetooth adapter"
    case .noAdapter(let wanted?, let present):
      "there is no Bluetooth adapter \(wanted)"
        + (present.isEmpty ? "" : " (there is \(present.joined(separator: ", ")))")
    case .adapterOff(let adapter): "the Bluetooth adapter \(adapter) is off"
    case .adapterBlocked(let adapter, _): "the Bluetooth adapter \(adapter) is blocked by rfkill"
    case .notFound(let selection, let seen):
      "no \(selection) answered"
        + (seen.isEmpty ? "" : "; heard: " + seen.map(\.strap.description).joined(separator: ", "))
    case .ambiguous(let selection, let found):
      "more than one \(selection) answered: "
        + found.map(\.strap.description).joined(separator: ", ")
    case .connectFailed(let strap, let message): "cannot connect to \(strap) (\(message))"
    case .noHeartRate(let strap): "\(strap) is connected but offers no heart rate (characteristic 0x2A37)"
    case .subscribeFailed(let strap, let message): "\(strap) does not send its heart rate (\(message))"
    case .notifyAcquired(let strap, let message):
      "another program on this machine holds the heart rate of \(strap) (\(message))"
    case .pairingNeeded(let strap, let message): "\(strap) wants to be paired first (\(message))"
    case .pairingFailed(let strap, let message): "cannot pair with \(strap) (\(message))"
    case .notPaired(let selection): "no \(selection) is known to this adapter"
    case .unexpected(let message): "bluetoothd answered something unexpected (\(message))"
    }
  }

  /// The command that mends it, where it is always the same one.
  public var command: String? {
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

  /// What to type or to do next.
  public var remedy: String { remedy(choosingWith: "live --strap") }

  /// What to type or to do next; where a strap has to be chosen, with this command before its address.
  public func remedy(choosingWith choice: String) -> String {
    switch self {
    case .noBus, .noBluetoothd: "Start it with: \(command ?? "")"
    case .accessDenied: "Join its group with: \(command ?? ""), then log in again"
    case .noAdapter(_, let present):
      present.isEmpty
        ? "Plug one in, then try: stressmon doctor" : "Choose one with: --adapter \(present[0])"
    case .adapterOff: "Switch it on with: \(command ?? "")"
    case .adapterBlocked(_, hard: false): "Unblock it with: \(command ?? "")"
    case .adapterBlocked(_, hard: true):
      "Use the switch or key on the machine, then look with: \(command ?? "")"
    case .notFound(_, let seen):
      seen.isEmpty
        ? "Wear the strap with moist electrodes, end its link to phone or watch, then try: stressmon scan"
        : "Choose one of those with: stressmon \(choice) \(seen[0].strap.address)"
    case .ambiguous(_, let found):
      "Choose one with: stressmon \(choice) \(found.first?.strap.address ?? "ADDRESS")"
    case .connectFailed(let strap, _):
      "End its link to phone or watch, come nearer, then try: stressmon live --strap \(strap.address)"
    case .noHeartRate: "See which straps are there with: stressmon scan"
    case .subscribeFailed(let strap, _), .pairingNeeded(let strap, _):
      "Pair it with: stressmon pair \(strap.address)"
    case .notifyAcquired: "End that program, then try again"
    case .pairingFailed(let strap, _):
      "Most straps need no pairing, try: stressmon live --strap \(strap.address); "
        + "to pair anew: stressmon unpair \(strap.address)"
    case .notPaired: "See what is there with: stressmon scan"
    case .unexpected: "See what is wrong with: stressmon doctor"
    }
  }
}
