import DBus
import HeartRate

/// Pauses the discoveries of one program's straps while a link to one of them is being established.
///
/// Many adapters abort one for the other, and bluetoothd does not coordinate its clients. Connect stays pending for up to a
/// minute if the strap is absent, so a discovery is paused for a few seconds at most, and neither operation delays the other
/// for long. Established links need no coordination.
package actor RadioArbiter {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  private struct Discovery {
    var client: BlueZClient
    var isWide: Bool
    var isPaused = false
    /// Evaluated before the discovery is resumed, since the session may have lost its adapter.
    var isWanted: @Sendable () -> Bool
    /// The last request to bluetoothd. The next one waits for its reply, because bluetoothd refuses to stop a discovery that
    /// it is still starting.
    var request: Task<Result<Void, BusError>, Never>?
  }

  /// The maximum time for which one link pauses discoveries.
  private let maximumPause: Duration
  private var discoveries: [ObjectIdentifier: Discovery] = [:]
  /// The links that are being established, by number.
  private var links: Set<Int> = []
  private var lastLink = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() { maximumPause = .seconds(5) }

  init(maximumPause: Duration) { self.maximumPause = maximumPause }

  /// Starts or widens a discovery as soon as no link is being established.
  func startDiscovery(
    _ client: BlueZClient, wide: Bool, isWanted: @escaping @Sendable () -> Bool
  ) async throws(BusError) {
    while !links.isEmpty { await withCheckedContinuation { waiting.append($0) } }
    let key = ObjectIdentifier(client)
    discoveries[key] = Discovery(
      client: client, isWide: wide, isWanted: isWanted, request: discoveries[key]?.request)
    try await request(key) { () throws(BusError) in try await client.startDiscovery(wide: wide) }.value.get()
  }

  func stopDiscovery(_ client: BlueZClient) async throws(BusError) {
    let key = ObjectIdentifier(client)
    // The end of a link must not resume it meanwhile.
    discoveries[key]?.isWanted = { false }
    _ = await discoveries[key]?.request?.value
    forget(client)
    try await client.stopDiscoveryNow()
  }

  /// Removes the discovery of a client that is not used any more.
  func forget(_ client: BlueZClient) { discoveries[ObjectIdentifier(client)] = nil }

  /// Connects to `strap` while the discoveries are paused.
  func connect(_ strap: StrapIdentity, _ client: BlueZClient) async throws(BusError) {
    lastLink += 1
    let link = lastLink
    links.insert(link)
    let timer = BusExecutor.shared.schedule(after: maximumPause) { [weak self] in
      self?.assumeIsolated { $0.end(link) }
    }
    defer {
      BusExecutor.shared.cancel(timer)
      end(link)
    }
    await pauseDiscoveries()
    try await client.connect(strap)
  }

  private func pauseDiscoveries() async {
    for (key, discovery) in discoveries where !discovery.isPaused {
      discoveries[key]?.isPaused = true
      request(key) { () throws(BusError) in try await discovery.client.stopDiscoveryNow() }
    }
    for discovery in discoveries.values { _ = await discovery.request?.value }
  }

  /// The link is established, or its time is over.
  private func end(_ link: Int) {
    guard links.remove(link) != nil, links.isEmpty else { return }
    for (key, discovery) in discoveries where discovery.isPaused { resume(discovery, key) }
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// A failure is ignored: its cause (no adapter, no bluetoothd) also changes the objects.
  private func resume(_ discovery: Discovery, _ key: ObjectIdentifier) {
    guard discovery.isWanted() else {
      discoveries[key] = nil
      return
    }
    discoveries[key]?.isPaused = false
    request(key) { () throws(BusError) in
      try await discovery.client.startDiscovery(wide: discovery.isWide)
    }
  }

  /// Sends a request after the reply to the previous one of the same client.
  @discardableResult private func request(
    _ key: ObjectIdentifier, _ send: @escaping @Sendable () async throws(BusError) -> Void
  ) -> Task<Result<Void, BusError>, Never> {
    let previous = discoveries[key]?.request
    let task = Task {
      _ = await previous?.value
      do throws(BusError) {
        return Result<Void, BusError>.success(try await send())
      } catch {
        return .failure(error)
      }
    }
    discoveries[key]?.request = task
    return task
  }
}
