import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct PostgreSQLTests {
  private let server: PostgreSQLServer
  private let url: PostgreSQLURL

  init() throws {
    server = try PostgreSQLServer.shared.get()
    url = try server.database()
  }

  @Test func valuesKeepEveryBit() throws {
    let connection = try PostgreSQLConnection(url)
    let numbers: [Double?] = [0.1, -0.0, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, nil]
    var reals = PostgreSQLArray(.real)
    var integers = PostgreSQLArray(.integer)
    var bytes = PostgreSQLArray(.bytes)
    var texts = PostgreSQLArray(.text)
    var times = PostgreSQLArray(.time)
    for (index, number) in numbers.enumerated() {
      reals.append(.real(number))
      integers.append(.integer(index == 5 ? nil : Int64.max - Int64(index)))
      bytes.append(.bytes(index == 5 ? nil : [0, 255, UInt8(index)]))
      texts.append(.text(index == 5 ? nil : "a,\"{}\\ü\0\(index)"))
      times.append(.time(WallTime(microseconds: 1_780_000_000_123_456 + Int64(index))))
    }
    let result = try connection.run(
      "SELECT * FROM unnest($1::float8[], $2::bigint[], $3::bytea[], $4::text[], $5::timestamptz[])",
      [.array(reals), .array(integers), .array(bytes), .array(texts), .array(times)])
    #expect(result.count == 6)
    for index in 0..<5 {
      #expect(result.real(index, 0).bitPattern == numbers[index]?.bitPattern)
      #expect(result.integer(index, 1) == .max - Int64(index))
      #expect(result.bytes(index, 2) == [0, 255, UInt8(index)])
      #expect(result.text(index, 3) == "a,\"{}\\ü\u{FFFD}\(index)")
      #expect(result.time(index, 4) == WallTime(microseconds: 1_780_000_000_123_456 + Int64(index)))
    }
    for column in 0..<4 { #expect(result.isNull(5, column)) }
    #expect(try connection.run("SELECT $1 = -5", [.integer(-5)]).boolean(0, 0))
    #expect(try connection.run("SELECT (-5)::smallint").integer(0, 0) == -5)
    #expect(try connection.run("SELECT $1", [.text("")]).textOrNil(0, 0) == "")
  }

  @Test func failedTransactionsChangeNothing() throws {
    let connection = try PostgreSQLConnection(url)
    try connection.execute("CREATE TABLE t (a bigint PRIMARY KEY)")
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.run("INSERT INTO t VALUES ($1)", [.integer(1)])
        try connection.run("INSERT INTO t VALUES ($1)", [.integer(1)])
      }
    }
    #expect(error?.state == "23505")
    #expect(error?.reaction == .fail)
    let overflow = #expect(throws: PostgreSQLError.self) {
      try connection.run("SELECT 1 / $1", [.integer(0)])
    }
    #expect(overflow?.reaction == .invalidData)
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
  }

  @Test func terminatedConnectionsAreReported() throws {
    let connection = try PostgreSQLConnection(url)
    let process = try connection.run("SELECT pg_backend_pid()").integer(0, 0)
    try PostgreSQLConnection(url).run("SELECT pg_terminate_backend($1::int)", [.integer(process)])
    let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
    #expect(error?.reaction == .reconnect)
    #expect(!connection.isUsable)
  }

  @Test func hostsWithoutAnswerAndReadOnlyHostsAreSkipped() throws {
    let text = "postgresql://postgres@/\(try database(of: url))?host=/nowhere,\(server.folder.path)"
    #expect(try PostgreSQLConnection(PostgreSQLURL(text)).run("SELECT 1::bigint").integer(0, 0) == 1)
    try PostgreSQLConnection(url).execute(
      "ALTER DATABASE \(try database(of: url)) SET default_transaction_read_only = on")
    let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(url) }
    #expect(error?.description.contains("read-only") == true)
    #expect(throws: Never.self) { try PostgreSQLConnection(url, readOnly: true) }
  }

  @Test(arguments: [(user: "stranger", database: "postgres"), (user: "postgres", database: "missing")])
  func refusedUsersAndDatabasesAreNoFailuresThatPass(_ name: (user: String, database: String)) throws {
    let refused = try server.url(name.database, user: name.user)
    let error = #expect(throws: FleetError.self) { try FleetDatabase.migrate(refused) }
    #expect(error?.code == .unauthorized && error?.isTransient == false)
    #expect(error?.description.contains("does not exist; check user, database and ~/.pgpass") == true)
  }

  @Test func serversWithoutAnswerAreFailuresThatPass() throws {
    let nowhere = try PostgreSQLURL("postgresql://postgres@/postgres?host=/nowhere")
    let error = #expect(throws: FleetError.self) { try FleetDatabase.migrate(nowhere) }
    #expect(error?.code == .unreachable && error?.isTransient == true)
  }

  @Test(arguments: [
    ("connection to server failed: FATAL:  28P01: password authentication failed for user \"a\"", "28P01"),
    ("VERBINDUNG: FATAL:  57P03: das Datenbanksystem startet\nPFAD:  f, x.c:1", "57P03"),
    ("FATAL:  57P03: starting up\nFATAL:  3D000: database \"a\" does not exist\nFATAL:  57P03: no", "3D000"),
    ("connection to server failed: Connection refused\n\tIs the server running?", nil),
  ]) func theStateIsReadFromVerboseErrors(_ text: String, _ state: String?) {
    #expect(PostgreSQLError.state(ofVerbose: text) == state)
  }

  @Test func passwordsInURLsAreRejected() {
    for text in [
      "postgresql://a:secret@h/d", "postgresql://a@h/d?password=secret", "postgresql://a:secret%zz@h/d",
      "postgresql://a:secret/x@h/d", "postgresql://a@h/d?password=secret%zz",
    ] {
      let error = #expect(throws: PostgreSQLURL.Invalid.self) { try PostgreSQLURL(text) }
      #expect(error?.description.contains("pgpass") == true && error?.description.contains("secret") == false)
    }
    let other = #expect(throws: PostgreSQLURL.Invalid.self) { try PostgreSQLURL("POSTGRESQL://a:secret@h/d") }
    #expect(other?.description.contains("secret") == false)
    #expect(throws: PostgreSQLURL.Invalid.self) { try PostgreSQLURL("mysql://h/d") }
    #expect(throws: PostgreSQLURL.Invalid.self) { try PostgreSQLURL("postgresql://h/d?nonsense=1") }
  }

  private func database(of url: PostgreSQLURL) throws -> String {
    try PostgreSQLConnection(url, readOnly: true).run("SELECT current_database()::text").text(0, 0)
  }
}
