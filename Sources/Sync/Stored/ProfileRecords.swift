internal import History
internal import Stress

/// The settings that belong to a person and are stored in the history: a manual baseline and the start of its evidence.
struct ProfileSettings: Equatable {
  var baseline: Baseline?
  /// In microseconds since 1970.
  var learnsSince: Int64?

  static let fields = ["baseline", "learns_since_us"]

  init(_ profile: SyncProfileRow) { (baseline, learnsSince) = (profile.baseline, profile.learnsSince) }

  /// Malformed values are absent.
  init(_ values: [String: String]) {
    let numbers = values["baseline"]?.split(separator: " ").compactMap { Double($0) } ?? []
    if numbers.count == 4, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) {
      baseline = Baseline(
        rmssd: numbers[0], sdnn: numbers[1], restingHeartRate: numbers[2], days: numbers[3], origin: .manual)
    }
    learnsSince = values["learns_since_us"].flatMap { Int64($0) }
  }

  var values: [String: String] {
    var values: [String: String] = [:]
    if let baseline {
      values["baseline"] =
        "\(baseline.rmssd) \(baseline.sdnn) \(baseline.restingHeartRate) \(baseline.days)"
    }
    values["learns_since_us"] = learnsSince.map { "\($0)" }
    return values
  }
}

/// A remembered strap as a shared record.
struct SyncedStrap {
  var row: SyncStrapRow

  static let fields = ["profile", "address", "name", "body_location", "last_used_us", "present"]

  init(_ row: SyncStrapRow) { self.row = row }

  /// Fails unless an address and a time are present.
  /// - Parameter profile: The number of the profile.
  init?(_ values: [String: String], profile: Int64) {
    guard let address = values["address"], let used = values["last_used_us"].flatMap({ Int64($0) }) else {
      return nil
    }
    row = SyncStrapRow(
      profile: profile, address: address, name: values["name"],
      bodyLocation: values["body_location"].flatMap { Int64($0) }, lastUsed: used)
  }

  func key(of profile: SharedID) -> RecordKey {
    RecordKey(.strap, SharedID(derivedFrom: "strap:\(profile):\(row.address)"))
  }

  func values(of profile: SharedID) -> [String: String] {
    var values = ["profile": profile.text, "address": row.address, "present": "1"]
    values["last_used_us"] = "\(row.lastUsed)"
    values["name"] = row.name
    values["body_location"] = row.bodyLocation.map { "\($0)" }
    return values
  }
}
