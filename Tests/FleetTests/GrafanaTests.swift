import TestSupport
import Testing

@testable import Fleet

/// The dashboard of fleets in `Examples/grafana`.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct GrafanaTests {
  @Test func eachQueryOfTheDashboardRuns() throws {
    let server = try PostgreSQLServer.shared.get()
    let connection = try PostgreSQLConnection(server.database(), settings: FleetSchema.settings)
    try FleetSchema.migrate(connection)
    try connection.run("SELECT set_config('role', 'none', false)")
    try connection.execute(
      """
      INSERT INTO study (code) VALUES ('a');
      INSERT INTO participant (study, code) SELECT number, 'P' FROM study;
      INSERT INTO participant (study, code) SELECT number, 'Silent' FROM study;
      INSERT INTO receiver (study, code) SELECT number, 'R' FROM study;
      INSERT INTO session (id, study, participant, receiver, day, next, highest, last_ticks, rr_ticks, updated)
        SELECT p.code, p.study, p.number, r.number, current_date, 0, 0, 80000000, 64000000, now()
        FROM participant p JOIN receiver r USING (study);
      CREATE TABLE beat_d PARTITION OF beat DEFAULT;
      CREATE TABLE measurement_d PARTITION OF measurement DEFAULT;
      INSERT INTO minute SELECT number, now() - CASE id WHEN 'P' THEN interval '1 minute' ELSE interval '1 hour' END,
        60, 60, 1, 59, 1 FROM session;
      INSERT INTO beat SELECT day, number, 0, now(), 0, 64000000, false, 'normal' FROM session;
      INSERT INTO gap SELECT number, 0, now(), 0, 1, 'link' FROM session;
      """)
    for (title, query) in try queries() {
      let result = try connection.run(query)
      #expect(result.count > 0, "\(title)")
      if title == "Silent participants" { #expect(result.count == 1 && result.text(0, 0) == "Silent") }
    }
  }

  /// The queries in SQL, with the variables and the macros of Grafana replaced.
  private func queries() throws -> [(title: String, query: String)] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = root + "/Examples/grafana/fleet.json"
    let dashboard = try JSONValue(String(decoding: contents(of: path), as: UTF8.self))
    var found: [(String, String)] = []
    for panel in dashboard["panels"]?.elements ?? [] {
      for target in panel["targets"]?.elements ?? [] {
        guard let query = target["rawSql"]?.text else { continue }
        let replaced =
          query.replacing("$study", with: "a")
          .replacing("$__timeFilter(minute)", with: "minute BETWEEN now() - interval '1 day' AND now()")
          .replacing("$__timeFrom()", with: "(now() - interval '1 day')").replacing(
            "$__timeTo()", with: "now()")
        #expect(!replaced.contains("$"), "\(replaced)")
        found.append((panel["title"]?.text ?? "", replaced))
      }
    }
    #expect(found.count == 8)
    return found
  }

  @Test func participantsWithoutMessagesAreMetrics() {
    let status = SharedStatus()
    status.set(lag: 0, of: 1)
    status.received(["p1", "p2"], ended: ["p2"], in: 1)
    let text = status.current.prometheus(study: "a")
    let name = "stressmon_collect_participant_received_timestamp_seconds"
    #expect(text.contains("# TYPE \(name) gauge\n\(name){study=\"a\",participant=\"p1\"} 1"))
    #expect(!text.contains("p2"))
    status.set(lag: nil, of: 1)
    #expect(!status.current.prometheus(study: "a").contains(name))
  }
}
