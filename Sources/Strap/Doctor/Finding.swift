/// One thing that has to be right for a strap to be heard, and whether it is.
public struct Diagnosis: Equatable, Sendable {
  public enum State: String, Sendable, CaseIterable {
    case ok
    /// It may do harm.
    case warning
    /// Nothing works while this is so.
    case failed
    /// It could not be found out.
    case unknown
  }

  /// What was looked at, in a word or two.
  public var name: String
  public var state: State
  /// What was seen, in one line.
  public var evidence: String
  /// One command that mends it, where there is one.
  public var remedy: String?

  public init(_ name: String, _ state: State, _ evidence: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.evidence = evidence
    self.remedy = remedy
  }
}

extension BlueZ {
  /// Looks at everything between this program and the air, from the kernel to bluetoothd's adapters.
  ///
  /// It changes nothing, starts nothing, and answers also where there is no bus and no bluetoothd.
  public func diagnose() async -> [Diagnosis] {
    let switches = RFKillSwitch.bluetooth()
    let bus = await diagnoseBus(switches)
    var kernel = KernelAdapter.diagnosis(KernelAdapter.all())
    // In a container bluetoothd has adapters that our own kernel namespace does not show.
    if kernel.state == .failed, bus.allSatisfy({ $0.state == .ok }) {
      kernel = Diagnosis(kernel.name, .warning, kernel.evidence + ", but bluetoothd has an adapter")
    }
    return [kernel, RFKillSwitch.diagnosis(switches)] + bus
  }

  private func diagnoseBus(_ switches: [RFKillSwitch]) async -> [Diagnosis] {
    let client = BlueZClient(adapterWanted: adapter, busAddress: busAddress, logger: logger)
    let checks = await diagnose(client, switches)
    await client.close()
    return checks
  }

  private func diagnose(_ client: BlueZClient, _ switches: [RFKillSwitch]) async -> [Diagnosis] {
    do throws(BusError) {
      try await client.open()
    } catch {
      let problem = StrapError.noBus(error.description)
      return [Diagnosis("bus", .failed, error.description, remedy: problem.command)]
    }
    let bus = Diagnosis("bus", .ok, "connected to the system bus")
    do throws(BusError) {
      try await client.readObjects(startService: false)
    } catch {
      return [bus, Self.diagnosis(of: error)]
    }
    let service = Diagnosis(
      "bluetoothd", .ok, "org.bluez is \(await client.owner ?? "there"), and this user may talk to it")
    return [bus, service] + Self.diagnoses(of: await client.tree.adapters, wanted: adapter, switches)
  }

  private static func diagnosis(of error: BusError) -> Diagnosis {
    switch LinkFailure(error).kind {
    case .denied:
      Diagnosis(
        "permission", .failed, error.description, remedy: StrapError.accessDenied("").command)
    case .noService:
      Diagnosis("bluetoothd", .failed, error.description, remedy: StrapError.noBluetoothd("").command)
    default: Diagnosis("bluetoothd", .unknown, error.description)
    }
  }

  static func diagnoses(
    of adapters: [Adapter], wanted: String?, _ switches: [RFKillSwitch]
  ) -> [Diagnosis] {
    guard !adapters.isEmpty else {
      return [Diagnosis("adapter", .failed, "bluetoothd knows no adapter")]
    }
    let known = adapters.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
    guard let wanted else {
      return [Diagnosis("adapter", .ok, known)] + adapters.map { power(of: $0, switches) }
    }
    guard let adapter = adapters.first(where: { $0.isCalled(wanted) }) else {
      return [Diagnosis("adapter", .failed, "no \(wanted) among \(known)")]
    }
    return [Diagnosis("adapter", .ok, known), power(of: adapter, switches)]
  }

  private static func power(of adapter: Adapter, _ switches: [RFKillSwitch]) -> Diagnosis {
    let name = "power of \(adapter.name)"
    switch LinkWorld.AdapterState(adapter, switches) {
    case .ready: return Diagnosis(name, .ok, adapter.powerState ?? "on")
    case .blocked(_, let hard):
      let problem = StrapError.adapterBlocked(adapter.name, hard: hard)
      return Diagnosis(name, .failed, "off, blocked by rfkill", remedy: problem.command)
    case .off, .absent:
      return Diagnosis(
        name, .failed, adapter.powerState ?? "off", remedy: StrapError.adapterOff(adapter.name).command)
    }
  }
}
