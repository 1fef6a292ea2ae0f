import DBus
package import HeartRate
import Platform

extension BlueZ {
  /// Checks everything from the kernel to the strap that `selection` matches.
  ///
  /// Changes nothing except that it stops sensor streams that no program receives: no pairing, no connection, no property.
  /// If the adapter is on and the strap is not connected, it scans
  /// for at most `listening`; `willListen` is called before. Also works without a bus and without bluetoothd.
  package func diagnose(
    _ selection: StrapSelection = .any, past: PastSession? = nil, listening: Duration = .seconds(6),
    willListen: (Duration) -> Void = { _ in }
  ) async -> [Finding] {
    await diagnosis(of: selection, past: past, listening: listening, willListen: willListen).findings
  }

  func diagnosis(
    of selection: StrapSelection, past: PastSession?, listening: Duration, in tree: SystemTree = SystemTree(),
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
    let changes = BlueZChanges()
    let client = makeClient(changes)
    diagnosis.service = await Self.service(client)
    diagnosis.update(from: await client.tree)
    if diagnosis.needsScan {
      willListen(listening)
      await diagnosis.scan(client, changes, for: listening)
    }
    if case .answers = diagnosis.service { diagnosis.unusedStreams = await client.stopUnused(selection) }
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

extension BlueZClient {
  /// Listens to the linked straps and stops the streams that no program receives.
  fileprivate func stopUnused(_ selection: StrapSelection) async -> [UnusedStreams] {
    var found: [UnusedStreams] = []
    for strap in await strapsWithUnusedSensors(selection) {
      let streams = await runningStreams(of: strap, listening: .seconds(3))
      guard !streams.isEmpty else { continue }
      await stopAllStreams(of: strap)
      found.append(UnusedStreams(strap: strap, streams: SensorStream.allCases.filter(streams.contains)))
    }
    return found
  }
}

extension Diagnosis {
  /// False for a connected strap, which does not advertise.
  fileprivate var needsScan: Bool {
    guard case .answers = service, isAdapterOn, let adapter else { return false }
    return !devices.contains {
      $0.adapter == adapter.name && $0.found.isConnected && selection.fits($0.found)
    }
  }

  fileprivate mutating func update(from tree: ObjectTree) {
    adapters = tree.adapters
    devices = tree.seenDevices
  }

  /// Scans for every Bluetooth LE device, until the only matching strap is found.
  fileprivate mutating func scan(
    _ client: BlueZClient, _ changes: BlueZChanges, for time: Duration
  ) async {
    do throws(BusError) {
      try await client.startDiscovery(wide: true)
    } catch {
      scan = .failed(error.description)
      return
    }
    let start = ContinuousClock.now
    // An error means that bluetoothd or the bus is gone, which the tree also shows.
    try? await changes.wait(since: start, evaluatingAfter: [time]) {
      update(from: await client.tree)
      return hasFoundStrap || ContinuousClock.now - start >= time
    }
    update(from: await client.tree)
    // Counted before the scan ends, because BlueZ then removes the signal strengths.
    let deviceCount = devices.filter { $0.adapter == adapter?.name && $0.found.isAnswering }.count
    scan = .done(max(.seconds(1), ContinuousClock.now - start), deviceCount: deviceCount)
    await client.stopDiscovery()
  }

  private var hasFoundStrap: Bool {
    selection.isUnique
      && devices.contains { $0.adapter == adapter?.name && $0.found.isAnswering && selection.fits($0.found) }
  }
}

// Sensor streams that a killed program left running: the strap sends until its battery is empty.
extension BlueZ {
  /// Stops the sensor streams of each linked strap that `selection` fits, unless a program on this machine receives them.
  ///
  /// - Returns: the straps to which the requests were sent.
  /// - Throws: a ``StrapError`` if bluetoothd or the adapter cannot be used.
  package func stopUnusedStreams(_ selection: StrapSelection) async throws -> [StrapIdentity] {
    try await withClient { client, _ in
      var stopped: [StrapIdentity] = []
      for strap in await client.strapsWithUnusedSensors(selection) {
        await client.stopAllStreams(of: strap)
        stopped.append(strap)
      }
      return stopped
    }
  }
}

extension BlueZClient {
  /// The linked straps with sensor characteristics that no program on this machine receives.
  func strapsWithUnusedSensors(_ selection: StrapSelection) async -> [StrapIdentity] {
    var straps: [StrapIdentity] = []
    for sighting in snapshot.sightings where sighting.sensors != nil && selection.fits(sighting.found) {
      let isShared = try? await sensorsAreShared(of: sighting.found.strap)
      if isShared == false { straps.append(sighting.found.strap) }
    }
    return straps
  }

  func stopAllStreams(of strap: StrapIdentity) async {
    for stream in SensorStream.allCases { await stopStream(stream, of: strap) }
  }

  /// The streams whose frames arrive within `time`. Nothing is received from a strap that does not stream.
  func runningStreams(of strap: StrapIdentity, listening time: Duration) async -> Set<SensorStream> {
    let found = Locked<Set<SensorStream>>([])
    let bus = BusConnection()
    if let path = try? sensors(of: strap).data {
      try? await subscribe(to: path, on: bus) { payload, _ in
        if let stream = SensorFrame.stream(of: payload) { found.withLock { _ = $0.insert(stream) } }
      }
      try? await Task.sleep(for: time)
    }
    await bus.close()
    return found.withLock { $0 }
  }
}
