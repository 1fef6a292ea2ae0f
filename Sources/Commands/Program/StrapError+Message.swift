import HeartRate
import Localization
import Strap
import Terminal

extension StrapError {
  /// The problem and the remedy as a phrase. Messages of BlueZ are not translated.
  /// - Parameter command: The command that takes the address of a strap.
  func message(choosingWith command: String = "live --strap") -> Phrase {
    Phrase("\(problemPhrase). \(advice(choosingWith: command))")
  }

  private var problemPhrase: Phrase {
    switch self {
    case .noBus(let message): Phrase("cannot reach the system bus (\(message))")
    case .noBluetoothd(let message):
      Phrase("the Bluetooth service bluetoothd does not answer (\(message))")
    case .accessDenied(let message):
      Phrase("this user has no permission to use bluetoothd (\(message))")
    case .noAdapter(nil, _): Phrase("there is no Bluetooth adapter")
    case .noAdapter(let wanted?, let present) where present.isEmpty:
      Phrase("there is no Bluetooth adapter \(wanted)")
    case .noAdapter(let wanted?, let present):
      Phrase("there is no Bluetooth adapter \(wanted) (there is \(present.joined(separator: ", ")))")
    case .adapterOff(let adapter): Phrase("the Bluetooth adapter \(adapter) is off")
    case .adapterBlocked(let adapter, _): Phrase("the Bluetooth adapter \(adapter) is blocked by rfkill")
    case .notFound(let selection, let seen) where seen.isEmpty: Phrase("no \(selection.phrase) answered")
    case .notFound(let selection, let seen):
      Phrase("no \(selection.phrase) answered; found: \(Self.list(seen))")
    case .ambiguous(let selection, let found):
      Phrase("more than one \(selection.phrase) answered: \(Self.list(found))")
    case .notPaired(let selection): Phrase("no \(selection.phrase) is paired with this adapter")
    case .unexpected(let message): Phrase("bluetoothd sent an unexpected answer (\(message))")
    case .connectFailed, .noHeartRate, .subscribeFailed, .notifyAcquired, .pairingNeeded, .pairingFailed:
      linkProblem
    }
  }

  /// The problem of a link to one strap.
  private var linkProblem: Phrase {
    switch self {
    case .connectFailed(let strap, let message):
      Phrase("cannot connect to \(strap.description.printable) (\(message))")
    case .noHeartRate(let strap):
      Phrase("\(strap.description.printable) is connected but has no heart rate (characteristic 0x2A37)")
    case .subscribeFailed(let strap, let message):
      Phrase("\(strap.description.printable) does not send its heart rate (\(message))")
    case .notifyAcquired(let strap, let message):
      Phrase(
        "another program on this machine has exclusive access to the heart rate of \(strap.description.printable) (\(message))"
      )
    case .pairingNeeded(let strap, let message):
      Phrase("\(strap.description.printable) requires pairing (\(message))")
    case .pairingFailed(let strap, let message):
      Phrase("cannot pair with \(strap.description.printable) (\(message))")
    default: Phrase(untranslated: problem)
    }
  }

  private func advice(choosingWith choice: String) -> Phrase {
    let command = command ?? ""
    return switch self {
    case .noBus, .noBluetoothd: Phrase("Start it with: \(command)")
    case .accessDenied: Phrase("Join its group with: \(command), then log in again")
    case .noAdapter(_, let present) where present.isEmpty:
      Phrase("Plug one in, then try: stressmon doctor")
    case .noAdapter(_, let present): Phrase("Choose one with: \("--adapter \(present[0])")")
    case .adapterOff: Phrase("Switch it on with: \(command)")
    case .adapterBlocked(_, hard: false): Phrase("Unblock it with: \(command)")
    case .adapterBlocked(_, hard: true):
      Phrase("Use the hardware switch or key, then check with: \(command)")
    case .notFound(_, let seen) where seen.isEmpty:
      Phrase(
        """
        Wear the strap with moist electrodes, disconnect it from phones and watches, then try: stressmon scan
        """)
    case .notFound(_, let seen):
      Phrase("Choose one of those with: \("stressmon \(choice) \(seen[0].strap.address)")")
    case .ambiguous(_, let found):
      Phrase("Choose one with: \("stressmon \(choice) \(found.first?.strap.address ?? "ADDRESS")")")
    case .connectFailed(let strap, _):
      Phrase(
        "End its link to phone or watch, move closer, then try: \("stressmon live --strap \(strap.address)")")
    case .subscribeFailed(let strap, _), .pairingNeeded(let strap, _):
      Phrase("Pair it with: \("stressmon pair \(strap.address)")")
    case .notifyAcquired: Phrase("Close that program, then retry")
    case .pairingFailed(let strap, _):
      Phrase(
        """
        Most straps need no pairing, try: \("stressmon live --strap \(strap.address)"); to pair again: \
        \("stressmon unpair \(strap.address)")
        """)
    case .noHeartRate, .notPaired: Phrase("List the straps in range with: stressmon scan")
    case .unexpected: Phrase("Find the cause with: stressmon doctor")
    }
  }

  private static func list(_ straps: [FoundStrap]) -> String {
    straps.map(\.strap.description.printable).joined(separator: ", ")
  }
}
