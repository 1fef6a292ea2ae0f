import LiveSession
import Testing

/// The newest values of a session from its lines, and whether they are live.
@Suite struct LiveSnapshotTests {
  private static let second: Int64 = 1_000_000_000

  private static let hello = FeedHello(
    version: "0.1.0", session: "01K", profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true)

  private static func line(_ text: String) throws -> SessionLine {
    try #require(SessionLine(Array(text.utf8)))
  }

  /// A connected session with a notification and its measurement, which arrive at 10 s.
  private static func live(_ members: String = "", wall: String = "2026-11-21T07:30:10Z") throws
    -> LiveSnapshot
  {
    var snapshot = LiveSnapshot(hello)
    for text in [
      #"{"type":"link","state":"connected","stale":true}"#,
      #"{"type":"notification","time":"\#(wall)","monotonic_s":10,"hr_bpm":96,"rr_ms":[625]}"#,
      #"{"type":"measurement","time":"\#(wall)","monotonic_s":10,"mean_hr_bpm":74.3,"stress":80,"category":"high"\#(members)}"#,
    ] { snapshot.update(try line(text), at: 10 * second) }
    return snapshot
  }

  @Test func valuesAreLiveUntilTheLimitOfSilence() throws {
    let snapshot = try Self.live()
    #expect(snapshot.isLive(at: 10 * Self.second + LiveLimits.silence - 1))
    #expect(!snapshot.isLive(at: 10 * Self.second + LiveLimits.silence))
    #expect(snapshot.deadline == 10 * Self.second + LiveLimits.silence)
    #expect(!LiveSnapshot(Self.hello).isLive(at: 0))
  }

  /// The wall clock of the machine is an hour ahead, or is set to another century while the session runs.
  @Test(arguments: ["2026-11-21T07:30:10Z", "2026-11-21T08:30:10Z", "1999-01-01T00:00:00Z"])
  func theWallClockAffectsNeitherAgeNorLiveness(wall: String) throws {
    let snapshot = try Self.live(wall: wall)
    #expect(snapshot.age(at: 14 * Self.second) == 4 && snapshot.heartRateAge(at: 12 * Self.second) == 2)
    #expect(snapshot.isLive(at: 14 * Self.second) && snapshot.respirationAge(at: 14 * Self.second) == nil)
  }

  @Test(arguments: [
    #"{"type":"link","state":"lost","stale":true}"#, #"{"type":"link","state":"connected","stale":true}"#,
    #"{"type":"end"}"#,
  ])
  func aLineEndsLiveness(text: String) throws {
    var snapshot = try Self.live()
    snapshot.update(try Self.line(text), at: 11 * Self.second)
    #expect(!snapshot.isLive(at: 11 * Self.second))
  }

  @Test func theMovementOfTheChestPrecedesTheElectrocardiogram() throws {
    var snapshot = try Self.live()
    func update(_ text: String, at second: Int64) throws {
      snapshot.update(try Self.line(text), at: second * Self.second)
    }
    try update(#"{"type":"ecg","ecg_uv":[],"respiration_brpm":12}"#, at: 11)
    #expect(snapshot.respiration == 12 && snapshot.respirationAge(at: 14 * Self.second) == 3)
    try update(#"{"type":"motion","respiration_brpm":13}"#, at: 12)
    #expect(snapshot.respiration == 13 && snapshot.respirationAge(at: 14 * Self.second) == 2)
    try update(#"{"type":"motion"}"#, at: 13)
    #expect(snapshot.respiration == 12, "the chest moves too much")
    try update(#"{"type":"ecg","ecg_uv":[]}"#, at: 13)
    #expect(snapshot.respiration == nil)
  }

  @Test func theHeartRateForNowIsThatOfTheLatestNotification() throws {
    let snapshot = try Self.live()
    #expect(snapshot.currentHeartRate == 96 && snapshot.measurement?.meanHeartRate == 74.3)
  }

  @Test(arguments: [
    (#","moving":true"#, ScoreSuspension.moving), (#","confidence_factors":{"motion":0.6}"#, .moving),
    (#","moving":false,"confidence_factors":{"exertion":0.4}"#, .exertion),
    (#","confidence_factors":{"rhythm":0.4}"#, .irregularRhythm),
  ])
  func aSuspendedValueHasNoLevel(members: String, reason: ScoreSuspension) throws {
    let measurement = try #require(try Self.live(members).measurement)
    #expect(measurement.suspension == reason && measurement.stress == 80)
    #expect(measurement.statedStress == nil && measurement.statedCategory == nil)
    #expect(try Self.live().measurement?.statedStress == 80)
  }

  @Test func aLineWithoutATypeIsNone() {
    for text in ["", "x", "[]", "{}", #"{"type":1}"#] { #expect(SessionLine(Array(text.utf8)) == nil) }
    #expect(SessionLine(Array(#"{"type":"unknown"}"#.utf8))?.content == .other)
  }
}
