import HeartRate
import History
import LiveSession
import Platform
import Simulator

/// The locks of one run: its profiles, and its straps once they are identified.
final class MeasurementLocks: Sendable {
  private struct Held {
    var subject: MeasurementLock.Subject
    var profile: String
    /// Missing if no folder can contain it.
    var lock: MeasurementLock?
  }

  private let location: StoreLocation?
  private let alerts: SessionAlerts
  private let held = Locked<[Held]>([])

  init(location: StoreLocation?, alerts: SessionAlerts) { (self.location, self.alerts) = (location, alerts) }

  /// Locks a profile. Several sessions of one run can have the same profile.
  /// - Throws: ``MeasurementLock/Conflict`` if another process holds the lock.
  func lockProfile(_ profile: String) throws {
    let subject = MeasurementLock.Subject.profile(profile)
    guard holder(of: subject) == nil else { return }
    try lock(subject, profile)
  }

  /// Locks a strap for the session of `profile`.
  /// - Throws: ``MeasurementLock/Conflict``; ``SessionError/duplicateStrap(_:profile:)`` if another session of this run holds
  ///   the lock.
  func lockStrap(_ strap: StrapIdentity, _ profile: String) throws {
    let subject = MeasurementLock.Subject.strap(strap)
    if let other = holder(of: subject) { throw SessionError.duplicateStrap(strap, profile: other) }
    try lock(subject, profile)
  }

  private func lock(_ subject: MeasurementLock.Subject, _ profile: String) throws {
    let lock = try location.map {
      try MeasurementLock(subject, profile: profile, at: $0, since: SystemClock.wall)
    }
    held.withLock { $0.append(Held(subject: subject, profile: profile, lock: lock)) }
    guard lock?.isProtected != true else { return }
    alerts.warn(
      "no folder can contain a lock file, so a second process can measure the same profile or strap")
  }

  /// The profile for which this run holds a lock.
  private func holder(of subject: MeasurementLock.Subject) -> String? {
    held.withLock { $0.first { $0.subject.isSame(as: subject) }?.profile }
  }
}

extension MeasurementLock.Subject {
  /// Straps are compared by address.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.profile(let own), .profile(let other)): own == other
    case (.strap(let own), .strap(let other)): own.address == other.address
    default: false
    }
  }
}

/// Locks the strap as soon as it is identified. A second process that measures from the same strap stops here. A program as source
/// can name several sensors, one after the other; the first ``most`` are locked.
struct StrapLockSink: SessionSink {
  private static let most = 8
  let locks: MeasurementLocks
  let profile: String
  private var locked: Set<String> = []

  init(locks: MeasurementLocks, profile: String) { (self.locks, self.profile) = (locks, profile) }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    guard case .event(let event) = update, case .link(let change) = event.kind, let strap = change.strap,
      strap != SimulatedStrap.identity, locked.count < Self.most, locked.insert(strap.address).inserted
    else { return .proceed }
    return .stopping(onErrorOf: { try locks.lockStrap(strap, profile) })
  }
}
