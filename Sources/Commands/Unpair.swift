import ArgumentParser
import HeartRate
import History
import Strap
import Terminal

struct Unpair: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpair",
    abstract: "Remove the pairing with a strap, and forget it.",
    discussion: """
      What was measured with it stays.
      Example: stressmon unpair C0:FF:EE:00:00:01
      """)

  @Argument(help: "The strap, by address or name.")
  var strap: String

  @OptionGroup var options: AdapterOptions
  @OptionGroup var store: StoreOptions

  func perform() async throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let location = try store.location(configuration, surroundings)
    let memory = ProfileMemory(
      profile: store.profileName(configuration), location: location, notices: Notices(onScreen: false))
    let forgotten = try forget(memory)
    do {
      let removed = try await options.bluez(configuration, surroundings).unpair(StrapSelection(strap))
      try StandardOutput().line("Removed the pairing with \(removed.description.printable).")
    } catch StrapError.notPaired where !forgotten.isEmpty {
      try StandardOutput().line(
        "\(forgotten[0].strap.description.printable) was not paired; it is forgotten.")
    } catch let error as StrapError {
      throw CommandFailure(.noStrap, "\(error.problem). \(error.remedy(choosingWith: "unpair"))")
    }
  }

  /// Forgets the remembered straps that are meant.
  private func forget(_ memory: ProfileMemory) throws -> [RememberedStrap] {
    let meant = memory.straps.filter {
      $0.strap.address == strap.uppercased() || $0.strap.name?.lowercased() == strap.lowercased()
    }
    guard let location = memory.location, !meant.isEmpty else { return [] }
    let writer = try HistoryWriter(location)
    for strap in meant { try writer.forgetStrap(address: strap.strap.address, of: memory.profile) }
    return meant
  }
}
