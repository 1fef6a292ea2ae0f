internal import Crypto
internal import History

/// The shared records of the history, with their values by field.
struct LocalRecords {
  struct Profile {
    var id: SharedID
    var row: SyncProfileRow
  }

  private(set) var values: [RecordKey: [String: String]] = [:]
  /// The rows that contain the values: of the tables of ``SyncedTable``, and the profiles of profiles, straps and settings.
  private(set) var rows: [RecordKey: Int64] = [:]
  /// By number.
  private(set) var profiles: [Int64: Profile] = [:]

  private let saved: [RecordKey: Int64]

  /// The profiles, straps and settings.
  /// - Parameter known: Rows of records in addition to those that are saved.
  init(_ history: SyncRows, _ device: SyncDevice, known: [RecordKey: Int64] = [:]) throws {
    var saved = known
    for record in try history.records() {
      guard let row = record.row, let id = SharedID(record.id) else { continue }
      saved[RecordKey(RecordKind(record.kind), id)] = row
    }
    self.saved = saved
    try addProfiles(history, device)
    try addStraps(history)
  }

  /// Adds the rows of all tables.
  /// - Parameter registers: Whether rows without a record get one.
  mutating func addTables(_ history: SyncRows, _ device: SyncDevice, registers: Bool) throws {
    for table in SyncedTable.all { try add(table, history, device, registers) }
  }

  /// Whether the values of a record were not in the history at the last sync.
  func isNew(_ key: RecordKey) -> Bool { saved[key] == nil }

  func profileName(of id: SharedID) -> String? { profiles.values.first { $0.id == id }?.row.name }

  // MARK: - Profiles

  private mutating func addProfiles(_ history: SyncRows, _ device: SyncDevice) throws {
    var ids: [Int64: SharedID] = [:]
    for (key, row) in saved where key.kind == .profile { ids[row] = key.id }
    for profile in try history.profiles() {
      let id = ids[profile.number] ?? Self.newProfileID(profile.name, device, Set(ids.values))
      ids[profile.number] = id
      profiles[profile.number] = Profile(id: id, row: profile)
      add(RecordKey(.profile, id), ["name": profile.name], row: profile.number)
      add(RecordKey(.setting, id), ProfileSettings(profile).values, row: profile.number)
    }
  }

  /// The first identifier for the name that is neither deleted nor that of another profile. This merges profiles by name.
  private static func newProfileID(_ name: String, _ device: SyncDevice, _ taken: Set<SharedID>) -> SharedID {
    var generation = 0
    while true {
      let id = SharedID(derivedFrom: "profile:" + name + (generation > 0 ? "\n\(generation)" : ""))
      let key = RecordKey(.profile, id)
      let shared = device.state.records[key]?["name"]?.value
      if device.state.tombstones[.record(key)] == nil, !taken.contains(id), shared ?? name == name {
        return id
      }
      generation += 1
    }
  }

  /// Takes over the profiles of `other`, which was read later.
  mutating func updateProfiles(from other: LocalRecords) {
    profiles = other.profiles
    for (key, row) in other.rows where key.kind == .profile || (key.kind == .setting && rows[key] == nil) {
      add(key, other.values[key] ?? [:], row: row)
    }
  }

  private mutating func addStraps(_ history: SyncRows) throws {
    for strap in try history.straps() {
      guard let profile = profiles[strap.profile]?.id else { continue }
      let record = SyncedStrap(strap)
      add(record.key(of: profile), record.values(of: profile), row: strap.profile)
    }
  }

  // MARK: - Tables

  private mutating func add(
    _ table: SyncedTable, _ history: SyncRows, _ device: SyncDevice, _ registers: Bool
  ) throws {
    let kind = RecordKind(table.kind)
    var keys: [Int64: RecordKey] = [:]
    for (key, row) in saved where key.kind == kind { keys[row] = key }
    var candidates = RecordCandidates(kind, device, saved)
    for (row, columns) in try history.rows(of: table).sorted(by: { $0.key < $1.key }) {
      let values = shared(columns)
      if let key = keys[row] {
        add(key, values, row: row)
      } else if registers, let key = candidates.remove(equalTo: values, device) ?? Self.newKey(kind, values),
        device.state.tombstones[.record(key)] == nil
      {
        add(key, values, row: row)
      }
    }
  }

  /// Results of exercises and readings belong to one time of a session; each journal entry is unique.
  private static func newKey(_ kind: RecordKind, _ values: [String: String]) -> RecordKey? {
    var random = SystemRandomNumberGenerator()
    guard kind != .journal else { return RecordKey(kind, SharedID(using: &random)) }
    guard let session = values["session"], let time = values["part"] ?? values["time_us"] else { return nil }
    return RecordKey(kind, SharedID(derivedFrom: "\(kind.name):\(session):\(time)"))
  }

  /// The values of a row with the identifier of its profile instead of its number.
  func shared(_ columns: [String: String]) -> [String: String] {
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

/// The shared records of a kind that are in no row of the history. A row with equal values, for example of a history that was in
/// the vault before, is one of them.
private struct RecordCandidates {
  private var keys: [String: [RecordKey]] = [:]

  init(_ kind: RecordKind, _ device: SyncDevice, _ saved: [RecordKey: Int64]) {
    for (key, fields) in device.state.records where key.kind == kind && saved[key] == nil {
      keys[fields["time_us"]?.value ?? "", default: []].append(key)
    }
  }

  mutating func remove(equalTo values: [String: String], _ device: SyncDevice) -> RecordKey? {
    let time = values["time_us"] ?? ""
    let found = keys[time]?.filter { key in
      let shared = device.values(of: key) ?? [:]
      return SharedFields.names(of: key.kind).allSatisfy { device.isEqual($0, values[$0], shared[$0]) }
    }
    guard let key = found?.min() else { return nil }
    keys[time]?.removeAll { $0 == key }
    return key
  }
}

extension RecordKind {
  static let breathing = RecordKind(SyncedTable.breathing.kind)
  static let morning = RecordKind(SyncedTable.mornings.kind)
}

extension SharedID {
  /// The first 128 bits of the SHA-256 of `text`.
  init(derivedFrom text: String) {
    self.init(bits: SHA256.hash(data: Array(text.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
  }
}
