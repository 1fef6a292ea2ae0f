import DBus
package import HeartRate

extension BlueZ {
  /// The result of pairing.
  package struct Pairing: Equatable, Sendable {
    package var strap: StrapIdentity
    /// Whether the strap was already paired, and nothing was done.
    package var wasPairedBefore: Bool
  }

  /// Pairs with a strap, unless it is already paired.
  ///
  /// The link that pairing requires is ended afterwards, unless it existed before.
  ///
  /// - Throws: a ``StrapError``. Cancellation ends the attempt.
  package func pair(
    _ selection: StrapSelection, within searchTime: Duration = .seconds(30), agent: PairingAgent
  ) async throws -> Pairing {
    try await withClient { client, changes in
      if let known = await pairedAlready(selection, client) {
        return Pairing(strap: known, wasPairedBefore: true)
      }
      let found = try await find(selection, client, changes, within: searchTime)
      guard !found.isPaired else { return Pairing(strap: found.strap, wasPairedBefore: true) }
      do {
        try await pair(found.strap, client, agent)
      } catch {
        await endLink(of: found, client)
        throw error
      }
      await endLink(of: found, client)
      return Pairing(strap: found.strap, wasPairedBefore: false)
    }
  }

  /// The paired strap, if the selection is unique; it need not be reachable.
  private func pairedAlready(_ selection: StrapSelection, _ client: BlueZClient) async -> StrapIdentity? {
    guard selection.isUnique else { return nil }
    return await client.snapshot.found.first { $0.isPaired && selection.fits($0) }?.strap
  }

  private func pair(_ strap: StrapIdentity, _ client: BlueZClient, _ agent: PairingAgent) async throws {
    do throws(BusError) {
      try await client.registerAgent(agent, for: strap)
      try await client.pair(strap)
    } catch {
      switch error.name {
      case "org.bluez.Error.AlreadyExists": return
      case BusError.cancelled.name: throw CancellationError()
      default: throw StrapError.pairingFailed(strap, error.description)
      }
    }
  }

  private func endLink(of found: FoundStrap, _ client: BlueZClient) async {
    guard !found.isConnected else { return }
    await Task { try? await client.disconnect(found.strap) }.value
  }
}

extension BlueZClient {
  private nonisolated static let agentPath = "/stressmon/agent"
  private nonisolated static let rejected = BusError(name: "org.bluez.Error.Rejected", message: "refused")

  /// Registers `agent` for the pairings that this connection begins.
  func registerAgent(_ agent: PairingAgent, for strap: StrapIdentity) async throws(BusError) {
    await bus.export(Self.agentPath) { [weak self] call in
      guard let self, await isAuthorized(call, about: strap) else { return .failure(Self.rejected) }
      return await agent.answer(call)
    }
    try await bus.call(
      .onBlueZ(
        "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
        [.objectPath(Self.agentPath), .string(agent.capability)]), timeout: CallTimeout.service)
  }

  /// Accepts calls of bluetoothd about the strap that is being paired only, since any process may call the object.
  private func isAuthorized(_ call: IncomingMessage, about strap: StrapIdentity) -> Bool {
    guard call.sender == owner else { return false }
    guard let device = call.arguments.first?.objectPath else { return true }
    return (try? self.device(of: strap).path) == device
  }

  func pair(_ strap: StrapIdentity) async throws(BusError) {
    let path = try device(of: strap).path
    try await bus.call(.onBlueZ(path, Device.interface, "Pair"), timeout: CallTimeout.pair)
  }

  /// Removes the strap from BlueZ: its bond, its services, its name.
  func remove(_ strap: StrapIdentity) async throws(BusError) {
    let adapter = try poweredAdapter()
    let path = try device(of: strap).path
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "RemoveDevice", [.objectPath(path)]),
      timeout: CallTimeout.service)
  }
}
