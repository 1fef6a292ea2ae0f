import HeartRate
import History
import HummingbirdCore
import JSONLines
import Platform
import Reports
import Stress

/// The resources that are read from the history. The objects have the keys of the commands' `--json`.
struct HistoryAPI: Sendable {
  let options: DashboardOptions
  /// The threads of requests that read.
  let readers = WorkerPool(threads: 8, limit: 256)
  /// The threads of requests that change something. SQLite permits one change at a time, so further threads would only wait.
  let writers = WorkerPool(threads: 4, limit: 20)
  let download: ExportDownload
  private let cache = Locked<HistoryReader?>(nil)

  init(options: DashboardOptions) {
    self.options = options
    download = ExportDownload(program: options.program, slots: DownloadSlots())
  }

  /// Limit of the records of a page.
  static let longestPage = 500
  private static let pageNames = ["limit", "profile"] + QueryParameters.filterNames

  var endpoints: [Endpoint] {
    [
      list("/api/measurements", "measurements", \StoredMeasurement.time) {
        try $0.latestMeasurements(of: $1, matching: $2, limit: $3)
      },
      Endpoint("GET", "/api/measurements/*") { try await measurement($0) },
      list("/api/sessions", "sessions", \StoredSession.info.started) {
        try $0.sessions(of: $1, matching: $2, limit: $3)
      },
      Endpoint("GET", "/api/sessions/*") { try await session($0) },
      list("/api/breathing", "breathing", \StoredBreathing.time) {
        try $0.breathingExercises(of: $1, matching: $2, limit: $3)
      },
      list("/api/morning", "morning", \StoredMorning.time) {
        try $0.mornings(of: $1, matching: $2, limit: $3)
      },
      list("/api/night", "night", \StoredNight.time) { try $0.nights(of: $1, matching: $2, limit: $3) },
      Endpoint("GET", "/api/profiles") { try await profiles($0) },
      Endpoint("GET", "/api/trends") { try await trends($0) },
      Endpoint("GET", "/api/report") { try await report($0) },
      Endpoint("GET", "/api/baseline") { try await baseline($0) },
      Endpoint("GET", "/api/straps") { try await straps($0) },
    ]
  }

  /// The reader of the history, once something is stored.
  func reader() throws(HistoryError) -> HistoryReader? {
    if let reader = cache.withLock({ $0 }) { return reader }
    let opened = try HistoryReader(options.location)
    cache.withLock { $0 = opened }
    return opened
  }

  /// The profile of a request.
  func profile(_ query: QueryParameters, _ reader: HistoryReader?) throws -> String {
    guard let name = query.text("profile"), name != options.profile else { return options.profile }
    guard let reader, try reader.profiles().contains(name) else {
      throw Problem.notFound("There is no profile of this name.")
    }
    return name
  }

  /// Runs `body` on a thread that may wait for the disk.
  func reading(
    _ request: PermittedRequest, _ names: [String],
    _ body: @escaping @Sendable (QueryParameters, HistoryReader?, String) throws -> [UInt8]
  ) async throws -> Response {
    let query = try QueryParameters(request, names)
    let bytes = try await readers.run {
      let reader = try reader()
      return try body(query, reader, try profile(query, reader))
    }
    return .json(bytes)
  }

  /// A list of records: the newest ones that match the filter, the newest last.
  private func list<Record: ListedRecord & SendableMetatype>(
    _ path: String, _ key: String, _ time: any KeyPath<Record, WallTime> & Sendable,
    _ read: @escaping @Sendable (HistoryReader, String, HistoryFilter, Int) throws -> [Record]
  ) -> Endpoint {
    Endpoint("GET", path) { request in
      try await reading(request, Self.pageNames) { query, reader, profile in
        let limit = try query.integer("limit", 1...Self.longestPage, default: 20)
        let filter = try query.filter()
        let found = try reader.map { try read($0, profile, filter, limit) } ?? []
        return page(key, found.reversed(), isFull: found.count == limit) { $0[keyPath: time] }
      }
    }
  }

  /// The names of all profiles, and that of the server.
  private func profiles(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, []) { _, reader, profile in
      var line = JSONLine()
      let names = try reader?.profiles() ?? []
      line.line { line in
        line.put("profiles", texts: names.contains(profile) ? names : names + [profile])
        line.put("default", profile)
      }
      return line.bytes
    }
  }

  private func measurement(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile"]) { _, reader, profile in
      guard let id = Int64(request.identifier), id > 0,
        let details = try reader.flatMap({ try MeasurementDetails(id, of: profile, $0) })
      else { throw Problem.notFound("There is no measurement with this number.") }
      return details.json
    }
  }

  private func session(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile"]) { _, reader, profile in
      guard let id = SessionID(request.identifier), let reader,
        let session = try reader.session(beginningWith: id.text, of: profile)
      else { throw Problem.notFound("There is no session with this ID.") }
      return try SessionDetails(session, reader).json
    }
  }

  private func trends(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile", "days", "step"]) { query, reader, profile in
      let days = try query.integer("days", 1...366, default: 7)
      let step: TrendPeriod.Step? = try query.word("step")
      guard step != .hour || days == 1 else {
        throw Problem.badParameter("step", expected: "day, week or month")
      }
      let now = SystemClock.wall
      let period =
        days == 1
        ? TrendPeriod(hoursUntil: now, .system)
        : TrendPeriod(days: Int64(days), step: step ?? (days > 31 ? .month : .day), until: now, .system)
      let today = Int(LocalCalendar.system.day(of: now))
      return try TrendReport(reader, of: profile, period, metric: options.metric, today: today).json
        .document("trends")
    }
  }

  private func report(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile", "ending"]) { query, reader, profile in
      let day = try query.day("ending") ?? LocalCalendar.system.day(of: SystemClock.wall)
      return try PeriodReport(reader, of: profile, ending: day, metric: options.metric, .system).json
    }
  }

  private func baseline(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile"]) { _, reader, profile in
      let today = LocalZone.today
      return BaselineReport(
        profile: profile, baseline: try reader?.baseline(of: profile) ?? .populationDefault,
        evidence: try reader?.baselineEvidence(of: profile, today: today)
      ).json
    }
  }

  private func straps(_ request: PermittedRequest) async throws -> Response {
    try await reading(request, ["profile"]) { _, reader, profile in
      var line = JSONLine()
      let straps = try reader?.rememberedStraps(of: profile) ?? []
      line.line { line in
        line.put("straps", objects: straps) { line, strap in
          line.put("strap", strap.strap.address)
          line.put("strap_name", strap.strap.name)
          line.put("last_used", strap.lastUsed.rfc3339)
        }
      }
      return line.bytes
    }
  }

  /// A page of records, the newest last. `next` is the value of `to` for the page before it; null on the last page.
  func page<Record: ListedRecord>(
    _ key: String, _ records: [Record], isFull: Bool, _ time: (Record) -> WallTime
  ) -> [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put(key, objects: records) { $1.put(into: &$0) }
      line.put("next", isFull ? records.first.map { time($0).rfc3339 } : nil)
    }
    return line.bytes
  }
}

extension [UInt8] {
  /// A document with the lines as elements of an array.
  func document(_ key: String) -> [UInt8] {
    let lines = split(separator: UInt8(ascii: "\n")).joined(separator: [UInt8(ascii: ",")])
    return Array("{\"\(key)\":[".utf8) + lines + Array("]}\n".utf8)
  }
}
