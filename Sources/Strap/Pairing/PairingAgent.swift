/// How a person takes part in pairing.
public struct PairingAgent: Sendable {
  struct Person: Sendable {
    var show: @Sendable @concurrent (_ passkey: String) async -> Void
    var ask: @Sendable @concurrent () async -> UInt32?
    var confirm: @Sendable @concurrent (_ passkey: String) async -> Bool
  }

  let person: Person?

  /// Nobody is there to read or to type: only straps that ask for nothing can be paired.
  public static let unattended = PairingAgent(person: nil)

  private init(person: Person?) { self.person = person }

  /// Somebody is there. The closures run apart from the bus and may wait for as long as it takes.
  ///
  /// - Parameters:
  ///   - show: Shows the six digits to be typed on the other device.
  ///   - ask: Asks for the number that the strap shows or has printed on it, 0 to 999,999; nil to refuse.
  ///   - confirm: Asks whether the other device shows these six digits.
  public init(
    show: @escaping @Sendable @concurrent (_ passkey: String) async -> Void,
    ask: @escaping @Sendable @concurrent () async -> UInt32?,
    confirm: @escaping @Sendable @concurrent (_ passkey: String) async -> Bool
  ) {
    person = Person(show: show, ask: ask, confirm: confirm)
  }

  /// What bluetoothd may ask for: its word for it.
  var capability: String { person == nil ? "NoInputNoOutput" : "KeyboardDisplay" }
}

extension PairingAgent {
  typealias Answer = Result<[MethodCall.Argument], BusError>

  private static let rejected = BusError(name: "org.bluez.Error.Rejected", message: "refused")

  /// Answers a call of `org.bluez.Agent1`, which always begins with the device meant.
  func answer(_ call: IncomingMessage) async -> Answer {
    switch (call.member, person) {
    case ("Release", _), ("Cancel", _): .success([])
    // We began this pairing ourselves, so it is wanted.
    case ("RequestAuthorization", _): .success([])
    case ("DisplayPasskey", let person?), ("DisplayPinCode", let person?),
      ("RequestConfirmation", let person?),
      ("RequestPasskey", let person?):
      await answer(call, by: person)
    default: .failure(Self.rejected)
    }
  }

  private func answer(_ call: IncomingMessage, by person: Person) async -> Answer {
    let passkey = call.arguments.dropFirst().first
    switch (call.member, passkey) {
    case ("DisplayPasskey", .uint32(let number)?): await person.show(Self.digits(number))
    case ("DisplayPinCode", .string(let text)?): await person.show(text)
    case ("RequestConfirmation", .uint32(let number)?):
      guard await person.confirm(Self.digits(number)) else { return .failure(Self.rejected) }
    case ("RequestPasskey", _):
      guard let number = await person.ask(), number <= 999_999 else { return .failure(Self.rejected) }
      return .success([.uint32(number)])
    default: return .failure(Self.rejected)
    }
    return .success([])
  }

  /// A passkey as it is shown everywhere: six digits.
  static func digits(_ passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }
}
