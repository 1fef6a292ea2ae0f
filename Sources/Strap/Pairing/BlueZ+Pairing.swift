public import HeartRate

extension BlueZ {
  /// What pairing came to.
  public struct Pairing: Equatable, Sendable {
    public var strap: StrapIdentity
    /// Nothing had to be done.
    public var wasPairedBefore: Bool
  }

  /// Pairs with a strap. One that is paired already is left as it is.
  ///
  /// The link that pairing needs ends with it, unless it was there before.
  ///
  /// - Throws: a ``StrapError``; cancellation ends the attempt.
  public func pair(
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

  /// A strap that is meant without doubt needs not be in reach to be known as paired.
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

  /// Has bluetoothd ask `agent` in the pairings that this connection begins.
  func registerAgent(_ agent: PairingAgent, for strap: StrapIdentity) async throws(BusError) {
    await bus.export(Self.agentPath) { [weak self] call in
      guard let self, await mayAsk(call, about: strap) else { return .failure(Self.rejected) }
      return await agent.answer(call)
    }
    try await bus.call(
      .onBlueZ(
        "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
        [.objectPath(Self.agentPath), .string(agent.capability)]), deadline: CallTimeout.service)
  }

  /// Any process may call our object: only bluetoothd is answered, and only about the strap that is being paired.
  private func mayAsk(_ call: IncomingMessage, about strap: StrapIdentity) -> Bool {
    guard call.sender == owner else { return false }
    guard let device = call.arguments.first?.objectPath else { return true }
    return (try? self.device(of: strap).path) == device
  }

  func pair(_ strap: StrapIdentity) async throws(BusError) {
    let path = try device(of: strap).path
    try await bus.call(.onBlueZ(path, Device.interface, "Pair"), deadline: CallTimeout.pair)
  }

  /// Makes BlueZ forget the strap: its bond, its services, its name.
  func remove(_ strap: StrapIdentity) async throws(BusError) {
    let adapter = try poweredAdapter()
    let path = try device(of: strap).path
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "RemoveDevice", [.objectPath(path)]),
      deadline: CallTimeout.service)
  }
}
