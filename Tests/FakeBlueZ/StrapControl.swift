package import DBus

/// Controls a strap of a fake, which it keeps alive. May be used from any thread.
package struct StrapControl: Sendable {
  let fake: FakeBlueZ
  package let address: String

  // MARK: Notifications

  /// Sends one notification. Without a subscriber it is lost, and the result is false.
  @discardableResult
  package func notify(_ payload: [UInt8]) -> Bool {
    with { $0.notify($1, payload) } ?? false
  }

  /// Broadcasts `value` instead of an `ay`.
  package func notify(wrongType value: DBusValue) {
    with { daemon, strap in
      if let device = strap.link, let measurement = device.measurement {
        daemon.broadcast(device, measurement, value)
      }
    }
  }

  /// Sends `payloads` repeatedly at `rate` per second, `count` in total (nil: without limit). Pauses while there is no
  /// subscriber.
  package func stream(_ payloads: [[UInt8]], rate: Double, count: Int? = nil) {
    with { $0.stream($1, payloads, rate: rate, count: count) }
  }

  package func stopStream() {
    with { daemon, strap in daemon.timers.cancel(strap.stream) }
  }

  /// The number of notifications sent to a subscriber.
  package var sentCount: Int { with { $1.sent } ?? 0 }

  // MARK: Sensor streams

  /// The start and stop of streams: "start 2", "stop 2", and "link 2" for a stream that ended with the link.
  package var sensorLog: [String] { with { $1.sensorLog } ?? [] }

  /// The types of the running streams.
  package var runningStreams: [UInt8] { with { $1.sensorStreams.keys.sorted() } ?? [] }

  /// The sensor frames that were sent to a subscriber.
  package var sentFrames: [[UInt8]] { with { $1.sentFrames } ?? [] }

  /// Waits until its services are resolved; false after `seconds`.
  package func waitForServices(seconds: Double = 300) async -> Bool {
    await wait(seconds) { $0.link?.resolved ?? false }
  }

  /// Waits until `count` frames were sent; false after `seconds`.
  package func waitForFrames(_ count: Int, seconds: Double = 300) async -> Bool {
    await wait(seconds) { $0.sentFrames.count >= count }
  }

  // MARK: Behaviour

  package func script(_ change: @escaping @Sendable (inout StrapScript) -> Void) {
    with { change(&$1.script) }
  }

  /// Changes its properties; bluetoothd receives them with the next advertisement or discovery.
  package func change(_ change: @escaping @Sendable (inout FakeStrap) -> Void) {
    with { daemon, strap in
      change(&strap.profile)
      daemon.reconsiderPendingConnects(of: strap)
    }
  }

  /// Whether it is reachable; false means out of range, asleep, or connected to a phone.
  package func advertise(_ isAdvertising: Bool) {
    change { $0.isAdvertising = isAdvertising }
  }

  package func setBattery(_ percent: UInt8) {
    with { daemon, strap in
      strap.profile.battery = percent
      if let path = strap.link?.path {
        daemon.publish(path, Interface.battery, ["Percentage": .byte(percent)])
      }
    }
  }

  // MARK: Link

  /// The link is lost; `reason` is the last part of org.bluez.Reason.
  package func loseLink(reason: String = "Timeout") {
    withLink { $0.linkIsDown($1, .lost(reason: reason)) }
  }

  /// Another client calls Disconnect: the link ends `disconnectDelay` later.
  package func disconnectByAnotherClient() {
    withLink { $0.scheduleDisconnect($1) }
  }

  /// Connected becomes true without a request.
  package func connectUnasked() {
    with { daemon, strap in
      if let device = daemon.devices.first(where: { $0.strap === strap }) { daemon.linkIsUp(device) }
    }
  }

  /// Removes the device objects, as bluetoothd does with unused devices.
  package func removeDevice() {
    with { daemon, strap in
      for device in daemon.devices where device.strap === strap { daemon.remove(device) }
    }
  }

  /// Frees the notify sessions without a signal: Connected and Notifying stay true, and no value follows.
  package func freeSessionsSilently() {
    withLink { $1.measurement?.subscribers = [] }
  }

  // MARK: Observations

  package var isConnected: Bool { with { $1.link != nil } ?? false }

  /// The clients whose notify sessions are registered.
  package var subscriberCount: Int { with { _, strap in Self.subscribers(strap) } ?? 0 }

  /// The path of its device object; nil if no adapter knows it.
  package var devicePath: String? {
    with { daemon, strap in daemon.devices.first { $0.strap === strap }?.path } ?? nil
  }

  package var measurementPath: String? { devicePath.map { $0 + "/service0010/char0011" } }

  /// Waits, without blocking a thread, until `count` clients are subscribed; false after `seconds`.
  package func waitForSubscribers(_ count: Int = 1, seconds: Double = 300) async -> Bool {
    await wait(seconds) { Self.subscribers($0) >= count }
  }

  package func waitForLink(_ isUp: Bool = true, seconds: Double = 300) async -> Bool {
    await wait(seconds) { ($0.link != nil) == isUp }
  }

  /// Waits until it has sent `count` notifications in total.
  package func waitForSent(_ count: Int, seconds: Double = 300) async -> Bool {
    await wait(seconds) { $0.sent >= count }
  }

  private static func subscribers(_ strap: Strap) -> Int {
    guard let measurement = strap.link?.measurement else { return 0 }
    return measurement.subscribers.count { $0.isRegistered } + (measurement.acquired == nil ? 0 : 1)
  }

  private func wait(_ seconds: Double, _ isSatisfied: @escaping @Sendable (Strap) -> Bool) async -> Bool {
    await fake.thread.wait(seconds: seconds) { [address] daemon in
      daemon.straps.first { $0.profile.address == address }.map(isSatisfied) ?? false
    }
  }

  @discardableResult
  private func with<Result: Sendable>(_ body: @escaping @Sendable (DaemonState, Strap) -> Result) -> Result? {
    fake.thread.perform { [address] daemon in
      daemon.straps.first { $0.profile.address == address }.map { body(daemon, $0) }
    }
  }

  private func withLink(_ body: @escaping @Sendable (DaemonState, Device) -> Void) {
    with { daemon, strap in if let device = strap.link { body(daemon, device) } }
  }
}

extension DaemonState {
  /// Each notification has its own due time, so that a late one does not delay the following ones.
  func stream(_ strap: Strap, _ payloads: [[UInt8]], rate: Double, count: Int?) {
    timers.cancel(strap.stream)
    guard !payloads.isEmpty, rate > 0 else { return }
    let interval = UInt64(1e9 / rate)
    sendNext(strap, payloads, 0, due: Timers.now + interval, interval, count)
  }

  private func sendNext(
    _ strap: Strap, _ payloads: [[UInt8]], _ index: Int, due: UInt64, _ interval: UInt64, _ count: Int?
  ) {
    if let count, index >= count { return }
    strap.stream = timers.at(due) { [weak strap] in
      guard let strap else { return }
      let wasSent = self.notify(strap, payloads[index % payloads.count])
      // A program that does not listen yet is tried again later: timers of a high rate would keep the thread from messages.
      let next = wasSent ? due + interval : Timers.now + max(interval, 1_000_000)
      self.sendNext(strap, payloads, index + (wasSent ? 1 : 0), due: next, interval, count)
    }
  }
}

/// A failed expectation prints its values: here the address, and not the objects of the whole bus.
extension StrapControl: CustomStringConvertible, CustomReflectable {
  package var description: String { "the strap \(address)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
