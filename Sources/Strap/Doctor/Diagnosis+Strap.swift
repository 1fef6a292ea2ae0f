import HeartRate
import Localization

// From the adapter to the strap.
extension Diagnosis {
  /// Empty if there is no usable adapter.
  var strapFindings: [Finding] {
    guard case .answers = service, isAdapterOn, let adapter else { return [] }
    if case .failed(let message) = scan {
      return [Finding("scan", .failed, message, remedy: "stressmon scan")]
    }
    let here = devices.filter { $0.adapter == adapter.name && selection.fits($0.found) }
    let best = selection.best(of: here.map(\.found).filter(\.isAnswering)).map(\.strap.address)
    let answering = here.filter { $0.found.isAnswering && best.contains($0.found.strap.address) }
    guard let first = answering.first else {
      return [scanFinding, silence(here)].compactMap { $0 } + findings(known: here)
    }
    guard answering.count == 1 else { return [scanFinding, choice(answering)].compactMap { $0 } }
    return [scanFinding, answer(of: first)].compactMap { $0 } + findings(of: first)
      + unusedStreams.map(\.finding)
  }

  private var scanFinding: Finding? {
    guard case .done(let time, let deviceCount) = scan else { return nil }
    let seconds = "\(time.components.seconds) s"
    guard deviceCount > 0 else {
      return Finding("scan", .warning, Phrase("found no device in a short scan of \(seconds)"))
    }
    return Finding(
      "scan", .ok,
      Phrase(
        "found \(deviceCount) device in a short scan of \(seconds)",
        "found \(deviceCount) devices in a short scan of \(seconds)", count: deviceCount))
  }

  // MARK: Reachability

  private func answer(of device: SeenDevice) -> Finding {
    let name = device.strap.description
    guard device.found.isConnected else { return Finding("strap", .ok, Phrase("\(name) advertises")) }
    switch device.listener {
    case .none: return Finding("strap", .ok, Phrase("\(name) is connected"))
    case .shared:
      return Finding(
        "strap", .ok, Phrase("\(name) is connected, and a program on this machine listens to it"))
    case .exclusive:
      return Finding(
        "strap", .failed,
        Phrase("\(name) is connected, and a program on this machine has exclusive access to its heart rate"),
        remedy: "bluetoothctl disconnect \(device.strap.address)")
    }
  }

  private func choice(_ answering: [SeenDevice]) -> Finding {
    let names = answering.map(\.strap.description).joined(separator: ", ")
    return Finding(
      "strap", .failed, Phrase("\(answering.count) straps answer, and none is selected: \(names)"),
      remedy: "stressmon live --strap \(answering[0].strap.address)")
  }

  /// The probable cause if no strap answers. A sleeping strap cannot be distinguished from one that is connected to a phone.
  private func silence(_ here: [SeenDevice]) -> Finding {
    if let holder = devices.first(where: {
      $0.found.isConnected && $0.adapter != adapter?.name && selection.fits($0.found)
    }) {
      return Finding(
        "strap", .failed,
        Phrase("\(holder.strap.description) is linked to \(holder.adapter), another adapter of this machine"),
        remedy: "bluetoothctl disconnect \(holder.strap.address)")
    }
    let silent =
      here.first.map { Phrase("\($0.strap.description) is known, but was not found") }
      ?? Phrase("no \(selection.phrase) was found")
    let cause =
      switch scan {
      case .done(_, deviceCount: 1...): Phrase("not worn, connected to a phone or watch, or out of range")
      default: Phrase("no other device was found either, so it is out of range or the adapter is defective")
      }
    return Finding("strap", .failed, Phrase("\(silent): \(cause)"), remedy: "stressmon scan --duration 30s")
  }

  // MARK: Known properties

  private func findings(of device: SeenDevice) -> [Finding] {
    [
      signal(of: device), model(of: device.strap), blocked(device), bearer(of: device), address(of: device),
      bond(of: device),
    ]
    .compactMap { $0 }
      + pastFindings(device.strap, battery: device.battery)
  }

  /// The findings about a strap that does not answer, from the data stored by bluetoothd.
  private func findings(known here: [SeenDevice]) -> [Finding] {
    guard here.count == 1, let device = here.first else { return [] }
    return [blocked(device), bearer(of: device), bond(of: device)].compactMap { $0 }
      + pastFindings(device.strap, battery: nil)
  }

  /// What the model is known to send. A model without known properties has no finding.
  private func model(of strap: StrapIdentity) -> Finding? {
    guard let model = StrapModel.named(strap.name) else { return nil }
    let name = model.name
    return switch model.intervals {
    case .beatToBeat: Finding("model", .ok, Phrase("\(name) sends RR intervals from beat to beat"))
    case .smoothedWithPulse:
      Finding(
        "model", .ok,
        Phrase("\(name) sends smoothed RR intervals; its pulse intervals (PPI) are used instead"))
    case .pulse:
      Finding("model", .ok, Phrase("\(name) sends no RR intervals; its pulse intervals (PPI) are used"))
    case .smoothed:
      Finding(
        "model", .warning,
        Phrase("\(name) sends smoothed RR intervals: HRV and stress cannot be computed from it"))
    case .none:
      Finding(
        "model", .warning,
        Phrase("\(name) sends heart rate but no RR intervals: HRV and stress cannot be computed from it"))
    }
  }

  private func signal(of device: SeenDevice) -> Finding? {
    guard let rssi = device.found.rssi else { return nil }
    guard rssi < Self.weakSignal else { return Finding("signal", .ok, "\(rssi) dBm") }
    return Finding(
      "signal", .warning,
      Phrase("\(rssi) dBm is weak: move closer, and avoid having the body between strap and adapter"))
  }

  /// In dBm. Below this, the attenuation of the body (about 15 dB) can end a link, at -100 dBm.
  static let weakSignal = -85

  private func blocked(_ device: SeenDevice) -> Finding? {
    guard device.isBlocked else { return nil }
    return Finding(
      "blocked", .failed, Phrase("bluetoothd is configured to reject \(device.strap.description)"),
      remedy: "bluetoothctl unblock \(device.strap.address)")
  }

  /// bluetoothd may then attempt a BR/EDR link, which fails with br-connection-profile-unavailable.
  private func bearer(of device: SeenDevice) -> Finding? {
    guard device.isClassic, !device.found.isConnected else { return nil }
    return Finding(
      "bearer", .warning,
      Phrase(
        "bluetoothd treats \(device.strap.description) as classic Bluetooth (BR/EDR), which straps do not use"
      ),
      remedy: "bluetoothctl remove \(device.strap.address)")
  }

  private func address(of device: SeenDevice) -> Finding? {
    guard device.isPrivateAddress, !device.found.isPaired else { return nil }
    return Finding(
      "address", .warning,
      Phrase(
        "\(device.strap.address) is a private address, which changes: the strap cannot be found by it later"),
      remedy: "stressmon pair \(device.strap.address)")
  }

  private func bond(of device: SeenDevice) -> Finding? {
    let strap = device.strap
    let past = past.flatMap { $0.strap.address == strap.address ? $0 : nil }
    let anew = "stressmon unpair \(strap.address) && stressmon pair \(strap.address)"
    if device.found.isPaired {
      if device.lacksBond {
        return Finding(
          "bond", .warning, Phrase("\(strap.description) is paired without persistent keys"), remedy: anew)
      }
      guard let message = past?.keyMissing else { return Finding("bond", .ok, Phrase("paired")) }
      return Finding(
        "bond", .warning,
        Phrase("the bond is lost: paired here, but \(strap.description) has deleted it (\(message))"),
        remedy: anew)
    }
    if let message = past?.bondRefusal {
      return Finding(
        "bond", .warning,
        Phrase("\(strap.description) requires a bond, and has none with this adapter (\(message))"),
        remedy: "stressmon pair \(strap.address)")
    }
    guard let other = devices.first(where: { $0.strap.address == strap.address && $0.found.isPaired }) else {
      return nil
    }
    return Finding(
      "bond", .warning,
      Phrase("\(strap.description) is bonded with \(other.adapter), not with \(device.adapter)"),
      remedy: "stressmon pair \(strap.address) --adapter \(device.adapter)")
  }

  // MARK: The last session

  private func pastFindings(_ strap: StrapIdentity, battery: BatteryLevel?) -> [Finding] {
    let past = past.flatMap { $0.strap.address == strap.address ? $0 : nil }
    return [
      Self.battery(battery ?? past?.battery, isOld: battery == nil), past.flatMap(Self.intervals),
      past.flatMap(links),
    ].compactMap { $0 }
  }

  private static func battery(_ level: BatteryLevel?, isOld: Bool) -> Finding? {
    guard let level else { return nil }
    let percent = level.percent
    let text = isOld ? Phrase("\(percent) % in its last session") : Phrase("\(percent) %")
    guard level.isLow else { return Finding("battery", .ok, text) }
    return Finding(
      "battery", .warning, Phrase("\(text): a weak battery causes lost beats and links; replace it"))
  }

  private static func intervals(_ past: PastSession) -> Finding? {
    if past.lacksRR {
      return Finding(
        "rr", .warning,
        Phrase(
          "\(past.notifications) heart rates and no RR interval in its last session: no HRV, no stress from this sensor"
        ))
    }
    guard past.withRR > 0 else { return nil }
    return Finding("rr", .ok, Phrase("sends RR intervals"))
  }

  private func links(_ past: PastSession) -> Finding? {
    guard let length = past.commonLinkLength else { return nil }
    return Finding(
      "links", .warning,
      Phrase(
        "\(past.linkLengths.count) links in its last session ended after \(length.components.seconds) s each: a rejected connection-parameter request, not the distance"
      ),
      remedy: kernel.refusesSlowConnections ? kernel.upgrade : nil)
  }
}
