import DBus
import HeartRate
import Logging

extension BlueZ {
  /// Runs `body` after bluetoothd's objects have been read and the adapter is on. Closing the connection afterwards also
  /// ends the scan.
  func withClient<Result>(
    _ body: (BlueZClient, BlueZChanges) async throws -> Result
  ) async throws -> Result {
    let changes = BlueZChanges()
    let client = makeClient(changes)
    do {
      try await prepare(client, changes)
      let result = try await body(client, changes)
      await end(client)
      return result
    } catch {
      await end(client)
      throw error
    }
  }

  func makeClient(_ changes: BlueZChanges) -> BlueZClient {
    BlueZClient(requestedAdapter: adapter, busAddress: busAddress, logger: logger) { changes.receive($0) }
  }

  /// Runs in a task of its own, since the current one may have been cancelled.
  private func end(_ client: BlueZClient) async { await Task { await client.close() }.value }

  private func prepare(_ client: BlueZClient, _ changes: BlueZChanges) async throws {
    do throws(BusError) {
      try await client.open()
    } catch {
      throw error == .cancelled ? CancellationError() : StrapError.noBus(error.description)
    }
    do throws(BusError) {
      try await client.readObjects(startService: true)
    } catch {
      throw error == .cancelled ? CancellationError() : StrapError(LinkFailure(error), target: nil)
    }
    try await waitForAdapter(client, changes)
  }

  /// Waits for the adapter to power up, as bluetoothd may just have been started.
  private func waitForAdapter(_ client: BlueZClient, _ changes: BlueZChanges) async throws {
    let end = ContinuousClock.now + timing.adapterGrace
    var problem: StrapError?
    try await changes.wait(evaluatingAfter: [timing.adapterGrace]) {
      problem = await client.snapshot.adapterProblem(requested: adapter)
      return problem == nil || ContinuousClock.now >= end
    }
    try Task.checkCancellation()
    if let problem { throw problem }
  }

  /// Scans for `duration` or until `visit` returns true. `visit` is called after each change and when the settling time,
  /// half of the duration and the duration have passed.
  func search(
    _ client: BlueZClient, _ changes: BlueZChanges, for duration: Duration,
    visit: (BluetoothSnapshot, _ elapsed: Duration) async throws -> Bool
  ) async throws {
    let start = ContinuousClock.now
    try await startDiscovery(client, wide: false)
    var isWide = false
    try await changes.wait(since: start, evaluatingAfter: [timing.settle, duration / 2, duration]) {
      let elapsed = ContinuousClock.now - start
      let snapshot = await client.snapshot
      if try await visit(snapshot, elapsed) || elapsed >= duration { return true }
      if !isWide, elapsed >= duration / 2, snapshot.candidates.isEmpty {
        isWide = true
        try await startDiscovery(client, wide: true)
      }
      return false
    }
    try Task.checkCancellation()
    await client.stopDiscovery()
  }

  private func startDiscovery(_ client: BlueZClient, wide: Bool) async throws {
    do throws(BusError) {
      try await client.startDiscovery(wide: wide)
    } catch {
      throw error == .cancelled ? CancellationError() : StrapError(LinkFailure(error), target: nil)
    }
  }

  /// Scans for the only strap that matches `selection`.
  func find(
    _ selection: StrapSelection, _ client: BlueZClient, _ changes: BlueZChanges, within time: Duration
  ) async throws -> FoundStrap {
    if case .one(let known) = StrapChoice(selection, among: await client.snapshot.found),
      selection.prefers(known), known.isConnected
    {
      return known
    }
    var choice = StrapChoice.none
    var seen: [FoundStrap] = []
    try await search(client, changes, for: time) { snapshot, elapsed in
      choice = StrapChoice(selection, among: snapshot.found)
      seen = snapshot.candidates
      if case .one(let strap) = choice, selection.prefers(strap) { return true }
      return choice != .none && elapsed >= min(timing.settle, time)
    }
    switch choice {
    case .one(let strap): return strap
    case .several(let straps): throw StrapError.ambiguous(selection, straps)
    case .none: throw StrapError.notFound(selection, seen: seen)
    }
  }
}
