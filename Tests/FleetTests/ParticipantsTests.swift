import HeartRate
import History
import Platform
import TestSupport
import Testing

@testable import Fleet

struct ParticipantsTests {
  private let berlin = LocalCalendar { _ in 3600 }

  private func parse(_ text: String, only profile: String? = nil) throws -> Participants {
    try Participants(text: text, path: "p", only: profile, calendar: berlin)
  }

  @Test func parses() throws {
    let participants = try parse(
      """
      # people
      ann = P01

        ben smith =  P02 since 2026-11-01
      a=b=P03\r
      carl = P04 # left on 2026-11-20
      """)
    #expect(
      participants.byProfile.mapValues(\.code.text) == [
        "ann": "P01", "ben smith": "P02", "a=b": "P03", "carl": "P04",
      ])
    let since = participants.byProfile["ben smith"]?.sessions.since
    #expect(since?.rfc3339 == "2026-10-31T23:00:00.000000Z")
    #expect(participants.sessions.map(\.name) == ["a=b", "ann", "ben smith", "carl"])
    #expect(try parse("ann = P01\nben = P02", only: "ben").sessions.map(\.name) == ["ben"])
  }

  @Test(arguments: [
    ("ann", "p, line 1: 'ann' is not valid"), ("\n= P01", "p, line 2"), ("ann = P 1", "p, line 1"),
    ("ann = P.1", "'P.1' is not a code"),
    ("ann = P1 since 2026-13-01", "'2026-13-01' is not a date"),
    ("ann = P1 until 2026-11-01", "only 'since' and a date"),
    ("ann =", "line 1: the code after '=' is missing"),
    ("ann = # P1", "the code after '=' is missing"),
    ("ann = P1\nben = P1", "line 2: the code P1 is used twice"),
    ("ann = P1\nann = P2", "line 2: the profile ann is listed twice"), ("", "list no profile"),
  ])
  func rejects(_ text: String, _ reason: String) {
    let error = #expect(throws: FleetError.self) { try parse(text) }
    #expect(error?.code == .usage && error?.description.contains(reason) == true)
  }

  @Test func otherProfilesAreNotPublished() {
    #expect(throws: FleetError.self) { try parse("ann = P01", only: "ben") }
    #expect(throws: FleetError.self) { try Participants(path: "/nonexistent/participants") }
  }

  @Test func receiverCode() throws {
    let folder = try TemporaryFolder()
    let id = try folder.write("0123456789abcdef0123456789abcdef\n", to: "machine-id")
    let code = try FleetCode.receiver(machineID: id)
    #expect(code.text.count == 13 && code.text.hasPrefix("R"))
    #expect(try FleetCode.receiver(machineID: id) == code)
    #expect(!code.text.dropFirst().contains("0123456789ab"))
    #expect(throws: FleetError.self) { try FleetCode.receiver(machineID: folder.file("missing")) }
  }
}
