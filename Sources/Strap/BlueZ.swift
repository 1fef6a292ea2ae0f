import DBus
package import HeartRate
package import Logging

/// Operations outside of sessions: scan, pairing and diagnosis.
package struct BlueZ: Sendable {
  /// `hci0` or the adapter's address. By default, the first adapter that is on.
  package var adapter: String?
  /// The address of the bus. The default is the system bus.
  var busAddress: String?
  var timing = LinkTiming()
  let logger: Logger

  package init(adapter: String? = nil, logger: Logger = Logger(label: "stressmon.strap")) {
    self.adapter = adapter
    self.logger = logger
  }

  /// Scans for `duration`, and calls `onChange` with each strap when it is found and when it changes.
  ///
  /// The scan requests the Heart Rate service (0x180D). If no strap has answered after half of the time, it requests every
  /// Bluetooth LE device, and accepts those whose name is typical of a strap.
  ///
  /// - Returns: the straps found, sorted by address.
  /// - Throws: a ``StrapError``, and what `onChange` throws. Cancellation ends the scan.
  @discardableResult
  package func scan(
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

  /// Removes a pairing and all data that BlueZ stores about the strap.
  ///
  /// - Returns: the strap that was removed.
  /// - Throws: ``StrapError/notPaired(_:)`` if no paired strap matches, ``StrapError/ambiguous(_:_:)`` if several match.
  @discardableResult
  package func unpair(_ selection: StrapSelection) async throws -> StrapIdentity {
    try await withClient { client, _ in
      let found = await client.snapshot.found
      let paired = selection.best(of: found.filter { $0.isPaired && selection.fits($0) })
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
