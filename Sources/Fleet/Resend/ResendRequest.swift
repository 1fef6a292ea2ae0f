package import HeartRate
package import History

/// The sessions of a receiver with events missing from PostgreSQL, each with the sequence number of the first missing event.
///
/// A stream can lose messages that it has acknowledged: nats-server 2.9.10 with three copies lost one after its leader was
/// killed twice within seconds. The collectors of a study therefore announce incomplete sessions, and their receivers publish
/// them again from there.
package struct ResendRequest: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package var session: SessionID
    /// The events before this sequence number are stored.
    package var next: Int64

    package init(session: SessionID, next: Int64) { (self.session, self.next) = (session, next) }
  }

  /// The time of the request, which distinguishes the IDs of messages that are published again.
  package var time: WallTime
  package var entries: [Entry]

  package init(time: WallTime, entries: [Entry]) { (self.time, self.entries) = (time, entries) }

  /// The greatest number of sessions of a request.
  package static let largestCount = 200

  /// The subject of the requests to a receiver. They are not stored.
  package static func subject(_ study: FleetCode, _ receiver: FleetCode) -> String {
    "resend.\(study).\(receiver)"
  }

  /// The time in microseconds since 1970, and a line `SESSION NEXT` for each session.
  package var text: String {
    entries.reduce("\(time.microseconds)\n") { $0 + "\($1.session) \($1.next)\n" }
  }

  /// Parses a request. Fails if the text has another form.
  package init?(_ text: String) {
    var lines = text.split(separator: "\n")[...]
    guard let time = lines.popFirst().flatMap({ Int64($0) }), time >= 0, lines.count <= Self.largestCount
    else {
      return nil
    }
    self.time = WallTime(microseconds: time)
    entries = []
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let session = SessionID(String(words[0])), let next = Int64(words[1]), next >= 0
      else { return nil }
      entries.append(Entry(session: session, next: next))
    }
  }
}

/// The sessions that a receiver publishes again, with the suffixes of their message IDs.
struct Repetitions {
  /// In ns. Requests for the same session within this time are ignored, because its messages may be on the way.
  private static let interval: Int64 = 60_000_000_000

  private var latest: [SessionID: (suffix: Int64, at: Int64)] = [:]

  /// The suffix of the IDs of a session that is published again.
  func suffix(of session: SessionID) -> Int64? { latest[session]?.suffix }

  /// Whether a session is published again because of a request that arrives at `now`, in ns of the boot clock.
  func accepts(_ session: SessionID, at now: Int64) -> Bool {
    latest[session].map { now - $0.at >= Self.interval } ?? true
  }

  /// Records that the session is published again with IDs that contain `time`.
  mutating func begin(_ session: SessionID, _ time: WallTime, at now: Int64) {
    latest[session] = (time.microseconds / 1_000_000, now)
  }
}
