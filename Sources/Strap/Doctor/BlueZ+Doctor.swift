extension BlueZ {
  /// Looks at everything between this program and the air, from the kernel to the strap that `selection` means.
  ///
  /// It changes nothing: no pairing, no connection, no property. Where the adapter is on and the strap is not connected
  /// already, it listens for a while, which is a short scan; `willListen` is called before. It answers also where
  /// there is no bus and no bluetoothd.
  public func diagnose(
    _ selection: StrapSelection = .any, past: PastSession? = nil, listening: Duration = .seconds(6),
    willListen: (Duration) -> Void = { _ in }
  ) async -> [Finding] {
    await diagnosis(selection, past: past, listening: listening, willListen: willListen).findings
  }

  func diagnosis(
    _ selection: StrapSelection, past: PastSession?, listening: Duration, in tree: SystemTree = SystemTree(),
    willListen: (Duration) -> Void
  ) async -> Diagnosis {
    var diagnosis = Diagnosis(service: .noBus(""))
    diagnosis.kernel = KernelRelease(in: tree)
    diagnosis.kernelAdapters = KernelAdapter.all()
    diagnosis.switches = RFKillSwitch.bluetooth(in: tree)
    diagnosis.usb = USBPower.adapters(in: tree)
    diagnosis.requestedAdapter = adapter
    diagnosis.selection = selection
    diagnosis.past = past
    let client = BlueZClient(requestedAdapter: adapter, busAddress: busAddress, logger: logger)
    diagnosis.service = await Self.service(client)
    diagnosis.take(await client.tree)
    if diagnosis.needsToListen {
      willListen(listening)
      await diagnosis.listen(client, for: listening)
    }
    await client.close()
    return diagnosis
  }

  private static func service(_ client: BlueZClient) async -> Diagnosis.Service {
    do throws(BusError) {
      try await client.open()
    } catch {
      return .noBus(error.description)
    }
    do throws(BusError) {
      try await client.readObjects(startService: false)
      return .answers(owner: await client.owner ?? "there")
    } catch {
      switch LinkFailure(error).kind {
      case .denied: return .denied(error.description)
      case .noService: return .noDaemon(error.description)
      default: return .unclear(error.description)
      }
    }
  }
}

extension Diagnosis {
  /// A strap that is connected does not advertise, so no scan would hear it.
  fileprivate var needsToListen: Bool {
    guard case .answers = service, isAdapterOn, let adapter else { return false }
    return !devices.contains {
      $0.adapter == adapter.name && $0.found.isConnected && selection.fits($0.found)
    }
  }

  fileprivate mutating func take(_ tree: ObjectTree) {
    adapters = tree.adapters
    devices = tree.seenDevices
  }

  /// Listens for all that speaks Bluetooth LE, until the one strap that is meant was heard.
  fileprivate mutating func listen(_ client: BlueZClient, for time: Duration) async {
    do throws(BusError) {
      try await client.startDiscovery(wide: true)
    } catch {
      scan = .failed(error.description)
      return
    }
    let clock = ContinuousClock()
    let start = clock.now
    repeat {
      try? await Task.sleep(for: .milliseconds(100))
      take(await client.tree)
    } while clock.now - start < time && !Task.isCancelled && !hasHeardTheOne
    // While the scan goes on: with its end the signals are gone.
    let deviceCount = devices.filter { $0.adapter == adapter?.name && $0.found.isAnswering }.count
    scan = .done(max(.seconds(1), clock.now - start), deviceCount: deviceCount)
    await client.stopDiscovery()
  }

  private var hasHeardTheOne: Bool {
    selection.isUnique
      && devices.contains { $0.adapter == adapter?.name && $0.found.isAnswering && selection.fits($0.found) }
  }
}
