public import HeartRate
public import Logging

/// BlueZ, for all that is not a session: looking for straps, pairing, and finding out what is wrong.
public struct BlueZ: Sendable {
  /// `hci0` or the adapter's address; nil for the first that is on.
  public var adapter: String?
  /// Another bus than the system's.
  var busAddress: String?
  var timing = LinkTiming()
  let logger: Logger

  public init(adapter: String? = nil, logger: Logger = Logger(label: "stressmon.strap")) {
    self.adapter = adapter
    self.logger = logger
  }

  /// Looks for straps during `duration`, and gives each as it is found and again when it changes.
  ///
  /// The scan asks for the Heart Rate service (0x180D); when nothing has answered by half the time, for all
  /// that speaks Bluetooth LE, of which those called like a strap are given.
  ///
  /// - Returns: what was found, in the order of the addresses.
  /// - Throws: a ``StrapError``, and what `onChange` throws; cancellation ends the scan.
  @discardableResult
  public func scan(
    for duration: Duration, onChange: (FoundStrap) async throws -> Void = { _ in }
  ) async throws -> [FoundStrap] {
    var found: [String: FoundStrap] = [:]
    try await withClient { client, changes in
      try await search(client, changes, for: duration) { snapshot, _ in
        for device in snapshot.candidates where found[device.strap.address] != device {
          found[device.strap.address] = device
          try await onChange(device)
        }
        return false
      }
    }
    return found.values.sorted { $0.strap.address < $1.strap.address }
  }

  /// Removes a pairing, and all that BlueZ remembers of the strap.
  ///
  /// - Returns: the strap that was removed.
  /// - Throws: ``StrapError/notPaired(_:)`` when none that fits is paired, ``StrapError/ambiguous(_:_:)`` when several are.
  @discardableResult
  public func unpair(_ selection: StrapSelection) async throws -> StrapIdentity {
    try await withClient { client, _ in
      let paired = selection.best(of: await client.snapshot.found.filter { $0.isPaired && selection.fits($0) })
      guard let strap = paired.first?.strap else { throw StrapError.notPaired(selection) }
      guard paired.count == 1 else { throw StrapError.ambiguous(selection, paired) }
      do throws(BusError) {
        try await client.remove(strap)
      } catch {
        throw StrapError(LinkFailure(error), target: strap)
      }
      return strap
    }
  }
}
