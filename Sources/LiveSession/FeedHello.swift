package import JSONLines

/// The first line of a connection: the session, its strap, and its state when the reader connected.
package struct FeedHello: Equatable, Sendable {
  /// Version of the program that runs the session.
  package var version: String
  package var session: String
  package var profile: String
  /// Start time, RFC 3339.
  package var started: String
  package var isSimulated: Bool
  /// Path of the database that stores the session. A session that is not stored has none.
  package var database: String?
  /// Number of lines that the session produced before this connection.
  package var lines = 0
  /// The last state of the link, as in a link line. Absent until the link has one.
  package var state: String?
  /// Whether the newest values are not live.
  package var isStale = true
  /// Address and name of the strap, once known.
  package var strap: String?
  package var strapName: String?
  /// Charge of the strap's battery in percent, once known.
  package var battery: Int?

  package init(version: String, session: String, profile: String, started: String, isSimulated: Bool) {
    (self.version, self.session, self.profile) = (version, session, profile)
    (self.started, self.isSimulated) = (started, isSimulated)
  }

  package static let type = "hello"

  /// The line with its line feed.
  package var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put(LineKey.type, Self.type)
      line.put("version", version)
      line.put(LineKey.session, session)
      line.put(LineKey.profile, profile)
      line.put("started", started)
      line.put("simulated", isSimulated)
      line.put("database", database)
      line.put("lines", lines)
      line.put(LineKey.state, state)
      line.put(LineKey.stale, isStale)
      line.put(LineKey.strap, strap)
      line.put(LineKey.strapName, strapName)
      line.put(LineKey.battery, battery)
    }
    return line.bytes
  }

  /// Decodes a complete hello.
  package init?(_ object: JSONObject) {
    guard object.text(LineKey.type) == Self.type, let version = object.text("version"),
      let session = object.text(LineKey.session), let profile = object.text(LineKey.profile),
      let started = object.text("started"), let count = object.integer("lines"), count >= 0
    else { return nil }
    self.init(
      version: version, session: session, profile: profile, started: started,
      isSimulated: object["simulated"].flatMap(object.boolean) ?? false)
    (database, self.lines) = (object.text("database"), count)
    state = object.text(LineKey.state)
    isStale = object[LineKey.stale].flatMap(object.boolean) ?? true
    (strap, strapName) = (object.text(LineKey.strap), object.text(LineKey.strapName))
    battery = object.integer(LineKey.battery).flatMap { (0...100).contains($0) ? $0 : nil }
  }
}
