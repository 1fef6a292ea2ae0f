// From the kernel to the adapter.
extension Diagnosis {
  /// All findings, from the kernel to the strap and its last session.
  var findings: [Finding] {
    // If the adapter is on, no lower layer is an obstacle: a blocked switch may be another adapter's, and in a container
    // bluetoothd may have adapters that are not visible in this kernel namespace.
    let kernel = KernelAdapter.finding(kernelAdapters)
    let rfkill = RFKillSwitch.finding(switches)
    let below = isAdapterOn ? [kernel.asWarning, rfkill.asWarning] : [kernel, rfkill]
    return below + [USBPower.finding(usb), self.kernel.finding].compactMap { $0 } + serviceFindings
      + strapFindings
  }

  private var serviceFindings: [Finding] {
    let bus = Finding("bus", .ok, "connected to the system bus")
    switch service {
    case .noBus(let message): return [Finding("bus", .failed, message, remedy: StrapError.noBus("").command)]
    case .denied(let message):
      return [bus, Finding("permission", .failed, message, remedy: StrapError.accessDenied("").command)]
    case .noDaemon(let message):
      return [bus, Finding("bluetoothd", .failed, message, remedy: StrapError.noBluetoothd("").command)]
    case .unclear(let message): return [bus, Finding("bluetoothd", .unknown, message)]
    case .answers(let owner):
      let service = Finding("bluetoothd", .ok, "org.bluez is \(owner), and this user has access")
      return [bus, service] + adapterFindings
    }
  }

  private var adapterFindings: [Finding] {
    guard !adapters.isEmpty else { return [noAdapter] }
    let known = adapters.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
    guard let adapter else {
      return [
        Finding(
          "adapter", .failed, "no \(requestedAdapter ?? "") among \(known)",
          remedy: "stressmon doctor --adapter \(adapters[0].name)")
      ]
    }
    return [Finding("adapter", .ok, known), power(of: adapter)]
  }

  /// The kernel may have an adapter that bluetoothd does not know.
  private var noAdapter: Finding {
    guard case .success(let known) = kernelAdapters, let first = known.first else {
      return Finding("adapter", .failed, "neither bluetoothd nor the kernel has an adapter: plug one in")
    }
    return Finding(
      "adapter", .failed, "the kernel has \(first.name), bluetoothd knows no adapter",
      remedy: "sudo systemctl restart bluetooth")
  }

  private func power(of adapter: Adapter) -> Finding {
    let name = "power of \(adapter.name)"
    switch BluetoothSnapshot.AdapterState(adapter, switches) {
    case .ready: return Finding(name, .ok, adapter.powerState ?? "on")
    case .blocked(_, let hard):
      let problem = StrapError.adapterBlocked(adapter.name, hard: hard)
      return Finding(name, .failed, "off, blocked by rfkill", remedy: problem.command)
    case .off, .absent:
      let problem = StrapError.adapterOff(adapter.name)
      return Finding(name, .failed, adapter.powerState ?? "off", remedy: problem.command)
    }
  }
}
