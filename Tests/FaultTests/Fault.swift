import DBus
import FakeBlueZ
import TestSupport

/// The faults that a schedule injects.
enum Fault: String, CaseIterable, Sendable {
  case linkLost = "link lost"
  case strapAway = "strap gone and back"
  case daemonKilled = "bluetoothd killed and restarted"
  case daemonTerminated = "bluetoothd stopped and started"
  case busRestarted = "bus restarted"
  case adapterMoved = "adapter pulled, back as another"
  case powerOff = "adapter off and on"
  case blocked = "rfkill blocked and unblocked"
  case strapSilent = "strap silent while connected"
  case sessionDropped = "notify session dropped silently"
  case sessionDroppedAtReconnect = "dropped at the reconnection"
  case connectRefused = "Connect refused"
  case subscriptionRefused = "StartNotify refused"
  case deviceForgotten = "device forgotten by bluetoothd"
  case servicesLate = "services resolved late"
  case malformed = "malformed values"
  case manyRR = "9 and more RR a notification"
  case equalNeighbours = "equal neighbours"
  case secondClient = "second client subscribed"

  /// Whether the fault always ends the link.
  var endsLink: Bool {
    switch self {
    case .strapSilent, .sessionDropped, .malformed, .manyRR, .equalNeighbours, .secondClient: false
    default: true
    }
  }
}

/// A random sequence of faults, the same for the same seed.
struct FaultSchedule: Sendable {
  struct Step: Sendable {
    var fault: Fault
    /// The number of notifications before the fault.
    var beatsBefore: Int
    /// The duration of the fault in notification intervals.
    var beats: Int
  }

  let seed: UInt64
  let steps: [Step]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    steps = (0..<Int.random(in: 3...8, using: &random)).map { _ in
      Step(
        fault: Fault.allCases.randomElement(using: &random) ?? .linkLost,
        beatsBefore: .random(in: 1...25, using: &random), beats: .random(in: 1...30, using: &random))
    }
  }
}

extension StrapScript.Connect {
  /// Consecutive errors with messages of BlueZ.
  static func refusals(using random: inout SeededGenerator) -> [Self] {
    let kinds: [Self] = [
      .claimsSuccess, .fails(.abortedLocally, linkAfter: 0.02), .fails(.canceled), .fails(.inProgress),
      .fails(.alreadyPending), .deviceVanishes,
    ]
    return (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in kinds.randomElement(using: &random) }
  }
}

extension StrapScript.Notify {
  static func refusals(using random: inout SeededGenerator) -> [Self] {
    let errors: [BusError] = [.inProgress, .failed("Not connected"), .notAuthorized, .att(0x0e)]
    return (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
      errors.randomElement(using: &random).map { .fails($0) }
    }
  }
}
