import HeartRate
import Localization
import Strap

extension StrapError {
  /// The problem and the remedy as a phrase. Only the messages of the most frequent cases are translated.
  /// - Parameter command: The command that takes the address of a strap.
  func message(choosingWith command: String = "live --strap") -> Phrase {
    guard let problem = frequentProblem, let remedy = frequentRemedy else {
      let text = "\(self.problem). \(self.remedy(choosingWith: command))"
      return Phrase(untranslated: text)
    }
    let separator = ". "
    return Phrase(joining: [problem, remedy], separator: separator)
  }

  private var frequentProblem: Phrase? {
    switch self {
    case .noBluetoothd(let message):
      Phrase("the Bluetooth service bluetoothd does not answer (\(message))")
    case .noAdapter(nil, _): Phrase("there is no Bluetooth adapter")
    case .adapterOff(let adapter): Phrase("the Bluetooth adapter \(adapter) is off")
    case .notFound(let selection, let seen) where seen.isEmpty: selection.notFound
    default: nil
    }
  }

  private var frequentRemedy: Phrase? {
    switch self {
    case .noBluetoothd: Phrase("Start it with: \(command ?? "")")
    case .adapterOff: Phrase("Switch it on with: \(command ?? "")")
    case .noAdapter(nil, let present) where present.isEmpty:
      Phrase("Plug one in, then try: stressmon doctor")
    case .notFound(_, let seen) where seen.isEmpty:
      Phrase("Wear the strap with moist electrodes, end its link to phone or watch, then try: stressmon scan")
    default: nil
    }
  }
}

extension StrapSelection {
  /// The message that no strap of the selection answered.
  fileprivate var notFound: Phrase {
    switch self {
    case .address(let address): Phrase("no strap \(address) answered")
    case .name(let name): Phrase("no strap named \"\(name)\" answered")
    case .remembered(let straps):
      Phrase("no strap \(Self.list(straps)) answered")
    case .any: Phrase("no heart-rate strap answered")
    }
  }

  private static func list(_ straps: [StrapIdentity]) -> String {
    straps.map(\.description).joined(separator: " or ")
  }
}
