import HeartRate
import History
import Platform
import Strap
import Stress
import Terminal

/// What the history remembers of a person when a session begins. A history that cannot be read is told of and does not
/// keep the session from running.
struct StoredProfile: Sendable {
  let profile: String
  let location: StoreLocation?
  let baseline: Baseline
  let straps: [RememberedStrap]

  init(profile: String, location: StoreLocation?, notices: SessionAlerts) {
    self.profile = profile
    self.location = location
    var baseline = Baseline.populationDefault
    var straps: [RememberedStrap] = []
    if let location {
      do {
        if let reader = try HistoryReader(location) {
          baseline = try reader.baseline(of: profile) ?? .populationDefault
          straps = try reader.rememberedStraps(of: profile)
        }
      } catch {
        notices.tell(.store, "\(error)")
      }
    }
    self.baseline = baseline
    self.straps = straps
  }

  /// Remembers that `details` was used, so that it is the one that is meant next time. Runs beside the session: the bus
  /// thread must not wait for a disk.
  func remember(_ details: StrapDetails) {
    guard let location else { return }
    let strap = RememberedStrap(details.strap, bodyLocation: details.bodyLocation, lastUsed: SystemClock.wall)
    let profile = profile
    Task.detached { try? HistoryWriter(location).remember(strap, for: profile) }
  }

  /// Learns from the session that ended, and from those before it that nobody learned from: for the next one. What is
  /// missed here is made up for then.
  func learn() {
    guard let location else { return }
    do {
      try BaselineUpdater(location).learn(profile, today: LocalZone.today, at: SystemClock.wall)
    } catch {
      printDiagnostic("stressmon: nothing was learned for the baseline: \(error)")
    }
  }

  /// The remembered straps, the most recently used first; without any, the only strap that answers.
  var selection: StrapSelection { straps.isEmpty ? .any : .remembered(straps.map(\.strap)) }
}

extension [RememberedStrap] {
  /// Why the user has to choose among several straps: each one with its name, its address and its last use.
  /// - Parameters:
  ///   - command: the command that takes the address of a strap, such as `live --strap`.
  ///   - verb: what the straps have in common.
  func failure(
    _ error: StrapError, choosingWith command: String, verb: String = "answered"
  ) -> CommandFailure {
    guard case .ambiguous(let selection, let found) = error else {
      return CommandFailure(.noStrap, "\(error.problem). \(error.remedy(choosingWith: command))")
    }
    let rows = found.map { (strap: $0.strap, use: lastUse(of: $0.strap)) }
      .sorted { ($0.use?.microseconds ?? .min) > ($1.use?.microseconds ?? .min) }
    var table = TextTable([("name", .left), ("address", .left), ("last used", .left)])
    for (strap, use) in rows {
      table.append([strap.name ?? "-", strap.address, use.map { LocalZone.text($0) } ?? "never"])
    }
    return CommandFailure(
      .noStrap,
      """
      more than one \(selection.description.printable) \(verb):
      \(table.lines().map { "  \($0)" }.joined(separator: "\n"))
      Choose one with: stressmon \(command) \(rows.first?.strap.address ?? "ADDRESS")
      """)
  }

  private func lastUse(of strap: StrapIdentity) -> WallTime? {
    first { $0.strap.address == strap.address }?.lastUsed
  }
}
