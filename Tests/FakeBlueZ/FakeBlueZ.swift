package import DBus
import Glibc

/// A fake bluetoothd with adapters and heart-rate straps, on a bus that the test provides.
///
///     let bus = try PrivateBus()                           // must outlive the fake
///     let fake = try FakeBlueZ(address: bus.address)
///     let strap = fake.add(FakeStrap(address: "C0:00:00:00:00:01", name: "Polar"))
///     strap.script { $0.connects = [.claimsSuccess] }      // the first Connect only
///     ...                                                  // a client scans, connects, subscribes
///     await strap.waitForSubscribers()
///     strap.notify([0x10, 0x48, 0x43, 0x03])
///
/// Replies and errors (name and message) equal those of BlueZ 5.66. Deviations are possible only with
/// ``setProperty(_:_:_:_:)``, ``emitSignal(_:_:_:_:)`` and ``StrapControl/notify(wrongType:)``.
///
/// All state is confined to one thread. Each method runs its work on that thread and waits for it (microseconds), so it may
/// be called from any thread; see `BusThread` for the lock.
package final class FakeBlueZ: Sendable {
  package struct Options: Sendable {
    /// Seconds from StartDiscovery to the first advertisements, and from one round to the next.
    package var firstAdvertisement = 0.02
    package var advertisementInterval = 1.0
    /// Seconds until StartDiscovery is answered. StopDiscovery fails before.
    package var discoveryDelay = 0.0
    /// Seconds after a discovery until an unused device is removed.
    package var temporaryTimeout = 30.0
    /// Timeout, in seconds, of a request that the strap does not answer.
    package var attributeTimeout = 30.0
    /// Adapter1.PowerState, which Debian's BlueZ 5.66 does not have.
    package var showsPowerState = true
    /// The signal Device1.Disconnected of BlueZ 5.83 and later.
    package var sendsDisconnected = false

    package init() {}
  }

  /// A method call of a client.
  package struct Call: Sendable {
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
    /// CLOCK_MONOTONIC.
    package var nanoseconds: UInt64
  }

  /// A notification or a sensor frame that a strap sent to a subscriber.
  package struct Sent: Sendable {
    package var strap: String
    /// From 1, per strap.
    package var number: Int
    package var payload: [UInt8]
    /// The unique names of the subscribers; each receives the payload once per name.
    package var subscribers: [String]
    /// CLOCK_MONOTONIC.
    package var nanoseconds: UInt64
  }

  /// How the fake bluetoothd ends.
  package enum End: Sendable {
    /// SIGTERM: links end, objects are removed, then the name is released.
    case terminated
    /// SIGKILL: the only signal is NameOwnerChanged.
    case killed
  }

  let thread: BusThread

  /// Acquires the name org.bluez on the bus at `address`, with the adapter hci0 (unless `adapter` is nil).
  package init(
    address: String, adapter: String? = "00:AA:01:00:00:00", options: Options = Options()
  ) throws(BusError) {
    thread = BusThread { DaemonState(address: address, options: options) }
    if let adapter { addAdapter("hci0", address: adapter) }
    try startDaemon()
  }

  deinit { thread.stop() }

  // MARK: The daemon

  /// Restarts bluetoothd after its end or the end of the bus.
  package func startDaemon() throws(BusError) {
    let failure: BusError? = thread.perform { daemon in
      do throws(BusError) {
        try daemon.startDaemon()
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  package func stopDaemon(_ end: End) {
    thread.perform { daemon in
      switch end {
      case .terminated: daemon.terminateDaemon()
      case .killed: daemon.killDaemon()
      }
    }
  }

  // MARK: Adapters

  /// Adds an adapter named `name` ("hci0"). Stored devices belong to its `address`.
  package func addAdapter(_ name: String, address: String, powered: Bool = true) {
    thread.perform { daemon in
      let adapter = Adapter(name: name, address: address)
      adapter.powered = powered
      daemon.adapters.append(adapter)
      if daemon.connection != nil { daemon.show(adapter) }
    }
  }

  /// Removes an adapter.
  package func removeAdapter(_ name: String) {
    withAdapter(name) { daemon, adapter in
      daemon.hide(adapter)
      daemon.adapters.removeAll { $0 === adapter }
    }
  }

  /// Equivalent to `bluetoothctl power on|off`.
  package func setPower(_ on: Bool, adapter name: String = "hci0") {
    withAdapter(name) { $0.power($1, on: on) }
  }

  /// Equivalent to `rfkill block|unblock`: PowerState is off-blocked, and Set Powered fails with Blocked.
  package func setBlocked(_ blocked: Bool, adapter name: String = "hci0") {
    withAdapter(name) { $0.block($1, blocked) }
  }

  private func withAdapter(_ name: String, _ body: @escaping @Sendable (DaemonState, Adapter) -> Void) {
    thread.perform { daemon in
      if let adapter = daemon.adapters.first(where: { $0.name == name }) { body(daemon, adapter) }
    }
  }

  // MARK: Straps

  /// Adds a strap in range.
  package func add(_ strap: FakeStrap) -> StrapControl {
    thread.perform { daemon in
      let onAir = Strap(strap)
      daemon.straps.append(onAir)
      guard strap.isKnown || strap.isPaired else { return }
      for adapter in daemon.adapters {
        daemon.storage[adapter.address, default: [:]][strap.address] =
          StoredDevice(paired: strap.isPaired, trusted: false)
        if daemon.connection != nil { daemon.showIfStored(onAir, adapter) }
      }
    }
    return StrapControl(fake: self, address: strap.address)
  }

  // MARK: Observations

  /// The calls so far, oldest first.
  package var calls: [Call] { thread.perform { $0.calls } }

  /// Calls `body` on the fake's thread with each notification that is sent.
  package func onSent(_ body: @escaping @Sendable (Sent) -> Void) {
    thread.perform { $0.onSent = body }
  }

  /// Calls `body` on the fake's thread with each sensor frame that is sent to a subscriber.
  package func onSensorFrame(_ body: @escaping @Sendable (Sent) -> Void) {
    thread.perform { $0.onSensorFrame = body }
  }

  /// Waits without blocking a thread; false after `seconds`.
  package func wait(seconds: Double = 300, until isSatisfied: @escaping @Sendable ([Call]) -> Bool) async
    -> Bool
  {
    await thread.wait(seconds: seconds) { isSatisfied($0.calls) }
  }

  // MARK: Deviations from bluetoothd

  /// Sets a property to a value of any type and signals the change, as a faulty daemon might do.
  package func setProperty(_ path: String, _ interface: String, _ name: String, _ value: DBusValue) {
    thread.perform { $0.publish(path, interface, [name: value]) }
  }

  /// Emits any signal.
  package func emitSignal(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
    thread.perform { $0.emit(path, interface, member, arguments) }
  }
}

extension BusThread {
  func wait(seconds: Double, until isSatisfied: @escaping @Sendable (DaemonState) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      perform { daemon in
        let due = Timers.now + UInt64(seconds * 1e9)
        // The timer only wakes the loop; the waiter compares the time.
        daemon.timers.at(due) {}
        daemon.waiters.append(
          DaemonState.Waiter(
            due: due, isSatisfied: { isSatisfied(daemon) }, resume: { continuation.resume(returning: $0) }))
      }
    }
  }
}
