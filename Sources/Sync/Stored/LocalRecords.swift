internal import Crypto
internal import History
internal import Stress

/// The shared records of the history, with their values by field.
struct LocalRecords {
  private(set) var values: [RecordKey: [String: String]] = [:]
  /// The rows that contain the values: of the numbered tables of ``SyncedTable``, and the profiles of profiles, straps and
  /// settings.
  private(set) var rows: [RecordKey: Int64] = [:]
  /// By number.
  private(set) var profiles: [Int64: (id: SharedID, row: SyncProfileRow)] = [:]

  private let saved: [RecordKey: Int64]

  /// The profiles, straps and settings.
  /// - Parameter known: Rows of records in addition to those that are saved.
  init(_ history: SyncRows, _ device: SyncDevice, known: [RecordKey: Int64] = [:]) throws {
    var saved = known
    for record in try history.records() {
      if let row = record.row, let key = RecordKey(record) { saved[key] = row }
    }
    self.saved = saved
    try addProfiles(history, device)
    for (profile, columns) in try history.rows(of: .straps) {
      let values = shared(columns).merging(["present": "1"]) { $1 }
      if let key = Self.newKey(.strap, values) { add(key, values, row: profile) }
    }
  }

  /// Adds the rows of all numbered tables.
  /// - Parameter registers: Whether rows without a record get one.
  mutating func addTables(_ history: SyncRows, _ device: SyncDevice, registers: Bool) throws {
    for table in SyncedTable.numbered { try add(table, history, device, registers) }
  }

  /// Whether the values of a record were not in the history at the last sync.
  func isNew(_ key: RecordKey) -> Bool { saved[key] == nil }

  /// The records whose values were in the history at the last sync and are not any more.
  var removed: [RecordKey] { saved.keys.filter { values[$0] == nil } }

  func profileName(of id: SharedID) -> String? { values[RecordKey(.profile, id)]?["name"] }

  // MARK: - Profiles

  private mutating func addProfiles(_ history: SyncRows, _ device: SyncDevice) throws {
    var ids: [Int64: SharedID] = [:]
    for (key, row) in saved where key.kind == .profile { ids[row] = key.id }
    for profile in try history.profiles() {
      let id = ids[profile.number] ?? Self.newProfileID(profile.name, device, Set(ids.values))
      ids[profile.number] = id
      profiles[profile.number] = (id, profile)
      add(RecordKey(.profile, id), ["name": profile.name], row: profile.number)
      add(RecordKey(.setting, id), profile.settings, row: profile.number)
    }
  }

  /// The first identifier for the name that is neither deleted nor that of another profile. This merges profiles by name.
  private static func newProfileID(_ name: String, _ device: SyncDevice, _ taken: Set<SharedID>) -> SharedID {
    var generation = 0
    while true {
      let id = SharedID(derivedFrom: "profile:" + name + (generation > 0 ? "\n\(generation)" : ""))
      let key = RecordKey(.profile, id)
      let shared = device.state.records[key]?["name"]?.value
      if !device.state.isDeleted(key), !taken.contains(id), shared ?? name == name { return id }
      generation += 1
    }
  }

  /// Adopts the profiles of `other`, which was read later.
  mutating func updateProfiles(from other: LocalRecords) {
    profiles = other.profiles
    for (key, row) in other.rows where key.kind == .profile || (key.kind == .setting && rows[key] == nil) {
      add(key, other.values[key] ?? [:], row: row)
    }
  }

  // MARK: - Tables

  private mutating func add(
    _ table: SyncedTable, _ history: SyncRows, _ device: SyncDevice, _ registers: Bool
  ) throws {
    let kind = RecordKind(table.kind)
    var keys: [Int64: RecordKey] = [:]
    for (key, row) in saved where key.kind == kind { keys[row] = key }
    // The shared records that are in no row, by time.
    var unsaved: [String: [RecordKey]] = [:]
    for (key, fields) in device.state.records where key.kind == kind && saved[key] == nil {
      unsaved[fields["time_us"]?.value ?? "", default: []].append(key)
    }
    for (row, columns) in try history.rows(of: table) {
      let values = shared(columns)
      if let key = keys[row] {
        add(key, values, row: row)
      } else if registers {
        // A row with equal values is such a record, for example of a history that was in the vault before.
        let time = values["time_us"] ?? ""
        let equal = unsaved[time]?.filter { device.isEqual($0, values) }.min()
        unsaved[time]?.removeAll { $0 == equal }
        guard let key = equal ?? Self.newKey(kind, values), !device.state.isDeleted(key) else { continue }
        add(key, values, row: row)
      }
    }
  }

  /// Straps are identified by their addresses, results of exercises and readings by one time of a session; each journal entry is
  /// unique.
  private static func newKey(_ kind: RecordKind, _ values: [String: String]) -> RecordKey? {
    var random = SystemRandomNumberGenerator()
    guard kind != .journal else { return RecordKey(kind, SharedID(using: &random)) }
    guard let owner = values["session"] ?? values["profile"],
      let value = values["address"] ?? values["part"] ?? values["time_us"]
    else { return nil }
    return RecordKey(kind, SharedID(derivedFrom: "\(kind.name):\(owner):\(value)"))
  }

  /// The values of a row with the identifier of its profile instead of its number.
  private func shared(_ columns: [String: String]) -> [String: String] {
    guard let number = columns["profile"].flatMap({ Int64($0) }) else { return columns }
    var values = columns
    values["profile"] = profiles[number]?.id.text
    return values
  }

  private mutating func add(_ key: RecordKey, _ values: [String: String], row: Int64) {
    self.values[key] = values
    rows[key] = row
  }
}

// MARK: - Kinds and identifiers

extension RecordKind {
  static let breathing = RecordKind(SyncedTable.breathing.kind)
  static let morning = RecordKind(SyncedTable.mornings.kind)
  /// The kind of the deletions of sessions.
  static let session = RecordKind("session")

  /// The table whose rows are the records of the kind.
  var table: SyncedTable? { SyncedTable.numbered.first { $0.kind == name } }

  /// Whether the rows of the records are profiles.
  var isOfProfile: Bool { [.profile, .strap, .setting].contains(self) }

  /// The fields that this version knows.
  var fields: [String] {
    switch self {
    case .profile: ["name"]
    case .setting: SyncProfileRow.settingFields
    case .strap: SyncedTable.straps.fields + ["present"]
    default: table?.fields ?? []
    }
  }
}

extension RecordKey {
  /// Fails for a malformed identifier.
  init?(_ row: SyncRecordRow) {
    guard let id = SharedID(row.id) else { return nil }
    self.init(RecordKind(row.kind), id)
  }
}

extension SyncRecordRow {
  init(_ key: RecordKey, row: Int64? = nil) { self.init(kind: key.kind.name, id: key.id.text, row: row) }
}

extension SharedID {
  /// The first 128 bits of the SHA-256 of `text`.
  init(derivedFrom text: String) {
    self.init(bits: SHA256.hash(data: Array(text.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
  }
}

/// The settings that belong to a person and are stored in the history: a manual baseline and the start of its evidence.
extension SyncProfileRow {
  static let settingFields = ["baseline", "learns_since_us"]

  /// The settings by field. Malformed values are absent.
  var settings: [String: String] {
    get {
      var values: [String: String] = [:]
      values["baseline"] = baseline.map { "\($0.rmssd) \($0.sdnn) \($0.restingHeartRate) \($0.days)" }
      values["learns_since_us"] = learnsSince.map { "\($0)" }
      return values
    }
    set {
      let numbers = newValue["baseline"]?.split(separator: " ").compactMap { Double($0) } ?? []
      baseline = nil
      if numbers.count == 4, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) {
        baseline = Baseline(
          rmssd: numbers[0], sdnn: numbers[1], restingHeartRate: numbers[2], days: numbers[3],
          origin: .manual)
      }
      learnsSince = newValue["learns_since_us"].flatMap { Int64($0) }
    }
  }
}
