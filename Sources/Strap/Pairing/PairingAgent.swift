import DBus

/// How the user takes part in pairing.
package struct PairingAgent: Sendable {
  struct Interaction: Sendable {
    var show: @Sendable @concurrent (_ passkey: String) async -> Void
    var ask: @Sendable @concurrent () async -> UInt32?
    var confirm: @Sendable @concurrent (_ passkey: String) async -> Bool
  }

  let interaction: Interaction?

  /// Without user interaction: only straps that require none can be paired.
  package static let unattended = PairingAgent(interaction: nil)

  private init(interaction: Interaction?) { self.interaction = interaction }

  /// With user interaction. The closures do not run on the bus thread and may wait without limit.
  ///
  /// - Parameters:
  ///   - show: Shows the six digits that have to be typed on the other device.
  ///   - ask: Asks for the number that the strap shows or that is printed on it, 0 to 999,999; nil refuses the pairing.
  ///   - confirm: Asks whether the other device shows these six digits.
  package init(
    show: @escaping @Sendable @concurrent (_ passkey: String) async -> Void,
    ask: @escaping @Sendable @concurrent () async -> UInt32?,
    confirm: @escaping @Sendable @concurrent (_ passkey: String) async -> Bool
  ) {
    interaction = Interaction(show: show, ask: ask, confirm: confirm)
  }

  /// The agent's capability, in BlueZ's terms.
  var capability: String { interaction == nil ? "NoInputNoOutput" : "KeyboardDisplay" }
}

extension PairingAgent {
  typealias Answer = Result<[DBusValue], BusError>

  private static let rejected = BusError(name: "org.bluez.Error.Rejected", message: "refused")

  /// Answers a call of `org.bluez.Agent1`, whose first argument is the device.
  func answer(_ call: IncomingMessage) async -> Answer {
    switch (call.member, interaction) {
    case ("Release", _), ("Cancel", _): .success([])
    // This program began the pairing, so it is authorized.
    case ("RequestAuthorization", _): .success([])
    case ("DisplayPasskey", let interaction?), ("DisplayPinCode", let interaction?),
      ("RequestConfirmation", let interaction?),
      ("RequestPasskey", let interaction?):
      await answer(call, with: interaction)
    default: .failure(Self.rejected)
    }
  }

  private func answer(_ call: IncomingMessage, with interaction: Interaction) async -> Answer {
    let passkey = call.arguments.dropFirst().first
    switch (call.member, passkey) {
    case ("DisplayPasskey", .uint32(let number)?): await interaction.show(Self.digits(number))
    case ("DisplayPinCode", .string(let text)?): await interaction.show(text)
    case ("RequestConfirmation", .uint32(let number)?):
      guard await interaction.confirm(Self.digits(number)) else { return .failure(Self.rejected) }
    case ("RequestPasskey", _):
      guard let number = await interaction.ask(), number <= 999_999 else { return .failure(Self.rejected) }
      return .success([.uint32(number)])
    default: return .failure(Self.rejected)
    }
    return .success([])
  }

  /// A passkey as six digits.
  static func digits(_ passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }
}
