import ArgumentParser
import HeartRate
import History
import Platform
import Strap
import Terminal

struct Unpair: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpair",
    abstract: "Remove the pairing with a strap and forget the strap.",
    discussion: """
      The sessions measured with it are kept.
      Example: stressmon unpair C0:FF:EE:00:00:01
      """)

  @Argument(help: "The strap, by address or name.", completion: Completions.straps)
  var strap: String

  @OptionGroup(title: commonOptions) var options: AdapterOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func perform() async throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let location = try store.location(configuration, environment)
    let memory = StoredProfile(
      profile: try store.existingProfile(configuration, environment), location: location,
      notices: SessionAlerts(onScreen: false))
    let selection = StrapSelection(strap)
    let forgotten = try forget(selection, memory)
    do {
      let removed = try await options.bluez(configuration, environment).unpair(selection)
      try StandardOutput().line("Removed the pairing with \(removed.description.printable).")
    } catch StrapError.notPaired where !forgotten.isEmpty {
      try StandardOutput().line(
        "\(forgotten[0].strap.description.printable) was not paired; it is forgotten.")
    } catch let error as StrapError {
      throw memory.straps.failure(error, choosingWith: "unpair", verb: "is known")
    }
  }

  /// Forgets the remembered strap that `selection` matches, if there is one.
  /// - Throws: ``CommandFailure`` where it matches several.
  private func forget(_ selection: StrapSelection, _ memory: StoredProfile) throws -> [RememberedStrap] {
    let addresses = Set(selection.matches(in: memory.straps.map(\.strap)).map(\.address))
    let matching = memory.straps.filter { addresses.contains($0.strap.address) }
    guard matching.count <= 1 else {
      let found = matching.map { FoundStrap(strap: $0.strap) }
      throw memory.straps.failure(.ambiguous(selection, found), choosingWith: "unpair", verb: "is known")
    }
    guard let location = memory.location, let strap = matching.first else { return [] }
    try HistoryWriter(location).forgetStrap(address: strap.strap.address, of: memory.profile)
    return matching
  }
}
