import HeartRate

/// Whose turn it is on the radio, among the straps of one program: while a link is being made, none of them is looked
/// for.
///
/// Many adapters break off one for the other, and bluetoothd takes no turns between its clients. A strap that is away
/// keeps its Connect pending for up to a minute, so a discovery gives way for a few seconds at most: neither the one
/// that is lost nor the one that is looked for keeps the other waiting for long. Running links need no turns.
public actor RadioArbiter {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    BusExecutor.shared.asUnownedSerialExecutor()
  }

  private struct Discovery {
    var client: BlueZClient
    var isWide: Bool
    var isPaused = false
    /// Asked before it is resumed: a session may have lost its adapter meanwhile.
    var isWanted: @Sendable () -> Bool
  }

  /// How long discoveries give way to one link.
  private let longest: Duration
  private var discoveries: [ObjectIdentifier: Discovery] = [:]
  /// The links that discoveries give way to.
  private var links: Set<Int> = []
  private var lastLink = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init() { longest = .seconds(5) }

  init(longest: Duration) { self.longest = longest }

  /// Starts a discovery, or widens it, once no link is being made.
  func startDiscovery(
    _ client: BlueZClient, wide: Bool, isWanted: @escaping @Sendable () -> Bool
  ) async throws(BusError) {
    while !links.isEmpty { await withCheckedContinuation { waiting.append($0) } }
    discoveries[ObjectIdentifier(client)] = Discovery(client: client, isWide: wide, isWanted: isWanted)
    try await client.startDiscovery(wide: wide)
  }

  func stopDiscovery(_ client: BlueZClient) async throws(BusError) {
    forget(client)
    try await client.stopDiscoveryNow()
  }

  /// `client` is not used any more.
  func forget(_ client: BlueZClient) { discoveries[ObjectIdentifier(client)] = nil }

  /// Connects to `strap` while the discoveries of the others give way.
  func connect(_ strap: StrapIdentity, _ client: BlueZClient) async throws(BusError) {
    lastLink += 1
    let link = lastLink
    links.insert(link)
    let timer = BusExecutor.shared.schedule(after: longest) { [weak self] in
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
      await discovery.client.stopDiscovery()
    }
  }

  /// The link is made, or has had its time.
  private func end(_ link: Int) {
    guard links.remove(link) != nil, links.isEmpty else { return }
    for (key, discovery) in discoveries where discovery.isPaused { resume(discovery, key) }
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// That it cannot go on shows in the objects: the adapter is off, or bluetoothd is gone.
  private func resume(_ discovery: Discovery, _ key: ObjectIdentifier) {
    guard discovery.isWanted() else {
      discoveries[key] = nil
      return
    }
    discoveries[key]?.isPaused = false
    Task { try? await discovery.client.startDiscovery(wide: discovery.isWide) }
  }
}
