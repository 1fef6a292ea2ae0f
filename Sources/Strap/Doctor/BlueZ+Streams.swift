import DBus
package import HeartRate
import Platform

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
