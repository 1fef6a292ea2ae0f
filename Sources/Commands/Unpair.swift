import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Session
import Strap
import Terminal

struct Unpair: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpair", _superCommandName: Stressmon.name,
    abstract: localized("Remove the pairing with a strap and forget the strap."),
    discussion: localized("The sessions measured with it are kept.") + "\n"
      + examples("stressmon unpair C0:FF:EE:00:00:01"))

  @Argument(help: .localized("The strap, by address or name."), completion: Completions.straps)
  var strap: String

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var options: AdapterOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func perform() async throws {
    let context = try CommandContext()
    let location = try store.location(context, mustExist: true)
    let profile = StoredProfile(
      try store.existingProfile(context), location: location,
      alerts: SessionAlerts(onScreen: false))
    let selection = StrapSelection(strap)
    let forgotten = try forget(selection, profile, location)
    do {
      let removed = try await options.bluez(context).unpair(selection)
      try write(
        removed, wasPaired: true, localized("Removed the pairing with \(removed.description.printable)."))
    } catch StrapError.notPaired where !forgotten.isEmpty {
      let strap = forgotten[0].strap
      try write(
        strap, wasPaired: false, localized("\(strap.description.printable) was not paired; it is forgotten."))
    } catch let error as StrapError {
      throw profile.straps.failure(error, choosingWith: "unpair", areKnown: true)
    }
  }

  private func write(_ strap: StrapIdentity, wasPaired: Bool, _ text: String) throws {
    try StandardOutput().write(PairingResult(strap: strap, wasPaired: wasPaired, text: text), asJSON: json)
  }

  /// Removes the remembered strap that `selection` matches from the history. Returns it; empty if none matches.
  /// - Throws: ``CommandFailure`` if several match.
  private func forget(
    _ selection: StrapSelection, _ profile: StoredProfile, _ location: StoreLocation
  ) throws -> [RememberedStrap] {
    let addresses = Set(selection.matches(in: profile.straps.map(\.strap)).map(\.address))
    let matching = profile.straps.filter { addresses.contains($0.strap.address) }
    guard matching.count <= 1 else {
      let found = matching.map { FoundStrap(strap: $0.strap) }
      throw profile.straps.failure(.ambiguous(selection, found), choosingWith: "unpair", areKnown: true)
    }
    guard let strap = matching.first else { return [] }
    try HistoryWriter(location).forgetStrap(address: strap.strap.address, of: profile.name)
    return matching
  }
}
