import HeartRate
import History
import Strap
import Stress

/// What the history remembers of a person when a session begins. A history that cannot be read is told of and does not
/// keep the session from running.
struct ProfileMemory: Sendable {
  let profile: String
  let location: StoreLocation?
  let baseline: Baseline
  let straps: [RememberedStrap]

  init(profile: String, location: StoreLocation?, notices: Notices) {
    self.profile = profile
    self.location = location
    var baseline = Baseline.prior
    var straps: [RememberedStrap] = []
    if let location {
      do {
        if let reader = try HistoryReader(location) {
          baseline = try reader.baseline(of: profile) ?? .prior
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
      try BaselineLearning(location).learn(profile, today: LocalZone.today, at: SystemClock.wall)
    } catch {
      say("stressmon: nothing was learned for the baseline: \(error)")
    }
  }

  /// The remembered straps where there are any, else whichever single one answers.
  var selection: StrapSelection { straps.isEmpty ? .any : .remembered(straps.map(\.strap)) }
}
