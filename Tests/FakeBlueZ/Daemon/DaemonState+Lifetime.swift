import DBus
import Glibc

// The start and the end of bluetoothd, and disconnected clients.

extension DaemonState {
  /// Connects, acquires the name, and exports the adapters and the stored devices.
  func startDaemon() throws(BusError) {
    guard connection == nil else { return }
    let connection = try PolledBusConnection(address: address)
    connection.addMatch(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged'"
    )
    // bluetoothd acquires its name before it exports its adapters.
    try requestName(connection)
    self.connection = connection
    export("/org/bluez", [Interface.agentManager: [:]])
    for adapter in adapters { show(adapter) }
  }

  /// Retries for a few seconds, because the bus may not have noticed yet that the previous process has left.
  private func requestName(_ connection: PolledBusConnection) throws(BusError) {
    let end = Timers.now + 10_000_000_000
    while true {
      do throws(BusError) {
        return try connection.requestName("org.bluez")
      } catch {
        guard Timers.now < end else { throw error }
        usleep(1000)
      }
    }
  }

  /// SIGTERM: links end, objects are removed, agents and the name are released.
  func terminateDaemon() {
    guard let connection else { return }
    for agent in agents {
      if let release = DBusMessage.call(agent.call("Release", [])) { connection.send(release) }
    }
    for adapter in adapters { hide(adapter) }
    unexport("/org/bluez")
    connection.flush()
    forgetEverything()
  }

  /// SIGKILL: only the name is lost.
  func killDaemon() { forgetEverything() }

  /// The bus closed the connection: bluetoothd exits.
  func busIsGone() { forgetEverything() }

  private func forgetEverything() {
    connection = nil
    for device in devices { closeAcquired(device.measurement) }
    for device in devices { endSensors(device) }
    for strap in straps { strap.link = nil }
    timers.cancelThoseOfDaemon()
    expectedReplies = [:]
    objects = [:]
    devices = []
    agents = []
    defaultAgents = []
    for adapter in adapters {
      adapter.sessions = []
      adapter.filters = [:]
    }
  }

  /// A client left the bus: its discoveries, notify sessions, agents and pending calls end.
  func clientIsGone(_ client: String) {
    for adapter in adapters {
      adapter.filters[client] = nil
      if adapter.sessions.contains(client) { endDiscovery(of: client, on: adapter) }
    }
    for device in devices {
      dropSensorSubscriber(client, device)
      guard let measurement = device.measurement else { continue }
      if measurement.acquired?.client == client { releaseAcquired(device, measurement) }
      if measurement.subscribers.contains(where: { $0.client == client }) {
        unsubscribe(client, device, measurement)
      }
    }
    for agent in agents where agent.client == client { forget(agent) }
  }
}
