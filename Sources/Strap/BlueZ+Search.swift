import HeartRate
import Logging

extension BlueZ {
  /// Says that the objects changed, or that some time has passed; ends with an error when BlueZ is gone.
  typealias Changes = AsyncThrowingStream<Void, any Error>

  /// Runs `body` with bluetoothd's objects read and the adapter on; stops the scan and closes the bus behind it.
  func withClient<Result>(
    _ body: (BlueZClient, Changes) async throws -> Result
  ) async throws -> Result {
    let (changes, continuation) = Changes.makeStream(bufferingPolicy: .bufferingNewest(1))
    let client = BlueZClient(requestedAdapter: adapter, busAddress: busAddress, logger: logger) { notice in
      switch notice {
      case .changed: continuation.yield()
      case .serviceLost(let message): continuation.finish(throwing: StrapError.noBluetoothd(message))
      case .busLost: continuation.finish(throwing: StrapError.noBus(BusError.closed.message))
      case .serviceAppeared, .disconnected: break
      }
    }
    let ticks = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(200))
        continuation.yield()
      }
    }
    do {
      try await prepare(client)
      let result = try await body(client, changes)
      ticks.cancel()
      await end(client)
      return result
    } catch {
      ticks.cancel()
      await end(client)
      throw error
    }
  }

  /// Outside the task, which may have been cancelled. A scan ends with the connection that asked for it.
  private func end(_ client: BlueZClient) async { await Task { await client.close() }.value }

  private func prepare(_ client: BlueZClient) async throws {
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
    try await waitForAdapter(client)
  }

  /// Gives the adapter a moment to come up: bluetoothd may only just have been started.
  private func waitForAdapter(_ client: BlueZClient) async throws {
    let clock = ContinuousClock()
    let end = clock.now + timing.adapterGrace
    while let problem = await client.snapshot.adapterProblem(requested: adapter) {
      guard clock.now < end else { throw problem }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Scans until `visit`, called at each change and some times a second, says that it is enough.
  func search(
    _ client: BlueZClient, _ changes: Changes, for duration: Duration,
    visit: (BluetoothSnapshot, _ elapsed: Duration) async throws -> Bool
  ) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    try await startDiscovery(client, wide: false)
    var isWide = false
    for try await _ in changes {
      let elapsed = clock.now - start
      let snapshot = await client.snapshot
      if try await visit(snapshot, elapsed) || elapsed >= duration { break }
      if !isWide, elapsed >= duration / 2, snapshot.candidates.isEmpty {
        isWide = true
        try await startDiscovery(client, wide: true)
      }
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

  /// The one strap that `selection` means, once it answers.
  func find(
    _ selection: StrapSelection, _ client: BlueZClient, _ changes: Changes, within time: Duration
  ) async throws -> FoundStrap {
    if case .one(let known) = StrapChoice(selection, among: await client.snapshot.found),
      selection.prefers(known), known.isConnected
    {
      return known
    }
    var choice = StrapChoice.none
    var heard: [FoundStrap] = []
    try await search(client, changes, for: time) { snapshot, elapsed in
      choice = StrapChoice(selection, among: snapshot.found)
      heard = snapshot.candidates
      if case .one(let strap) = choice, selection.prefers(strap) { return true }
      return choice != .none && elapsed >= min(timing.settle, time)
    }
    switch choice {
    case .one(let strap): return strap
    case .several(let straps): throw StrapError.ambiguous(selection, straps)
    case .none: throw StrapError.notFound(selection, seen: heard)
    }
  }
}
