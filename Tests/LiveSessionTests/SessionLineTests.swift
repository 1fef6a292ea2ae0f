import HRV
import HeartRate
import LiveSession
import Stress
import TestSupport
import Testing

/// The lines of a session, as they are encoded.
@Suite struct SessionLineTests {
  private let wall = WallTime(rfc3339: "2026-11-21T06:30:00.25Z")!

  private func event(_ seconds: Double, _ kind: SessionEvent.Kind) -> SessionEvent {
    SessionEvent(at: SessionTime(ticks: Int64(seconds * 80_000_000)), wall: wall, kind)
  }

  /// The lines of `events`.
  private func lines(_ events: [SessionEvent], session: String? = "01K", profile: String? = "me") -> [String]
  {
    var encoder = SessionLineEncoder(session: session, profile: profile)
    var engine = StressEngine()
    var bytes: [UInt8] = []
    for event in events { engine.process(event) { encoder.put($0) } }
    encoder.take { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private let head = #""time":"2026-11-21T06:30:00.250000Z","monotonic_s":"#
  private let tail = #","session":"01K","profile":"me"}"#

  @Test func linkEventsHaveALine() {
    let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Polar \"H10\"")
    #expect(
      lines([
        event(0, .link(LinkChange(.searching))),
        event(1.5, .link(LinkChange(.connected, strap: strap))),
        event(2, .link(LinkChange(.stale, strap: strap, reason: "no data for 5 s"))),
        event(3, .link(LinkChange(.lost, strap: StrapIdentity(address: "C0:00:00:00:00:01")))),
        event(4, .battery(BatteryLevel(percent: 80)!)),
      ]) == [
        #"{"type":"link",\#(head)0,"state":"searching","stale":true\#(tail)"#,
        #"{"type":"link",\#(head)1.5,"state":"connected","stale":true,"strap":"C0:00:00:00:00:01","strap_name":"Polar \"H10\""\#(tail)"#,
        #"{"type":"link",\#(head)2,"state":"stale","stale":true,"strap":"C0:00:00:00:00:01","strap_name":"Polar \"H10\"","reason":"no data for 5 s"\#(tail)"#,
        #"{"type":"link",\#(head)3,"state":"lost","stale":true,"strap":"C0:00:00:00:00:01"\#(tail)"#,
        #"{"type":"link",\#(head)4,"battery_percent":80,"strap":"C0:00:00:00:00:01"\#(tail)"#,
      ])
  }

  @Test("Link lines are stale from the loss of the strap until the next measurement")
  func staleUntilTheNextMeasurement() {
    let beat = SessionEvent.Kind.notification(payload: [0x10, 0x48, 0x00, 0x04])
    let found = lines([
      event(0, .link(LinkChange(.connected))), event(1, beat), event(1.5, .link(LinkChange(.connected))),
      event(2, .link(LinkChange(.lost))), event(3, .link(LinkChange(.searching))),
      event(4, .link(LinkChange(.connecting))), event(5, .link(LinkChange(.connected))), event(12, beat),
    ]).filter { $0.contains("\"stale\":") }
    #expect(
      found.map { $0.contains("\"stale\":true") } == [true, false, false, true, true, true, true, false])
    #expect(found.last?.hasPrefix("{\"type\":\"measurement\"") == true)
  }

  @Test func marksAndTheEndHaveALine() {
    #expect(
      lines([event(1, .mark("coffee\n\u{1}☕")), event(2.000001, .end)]) == [
        #"{"type":"mark",\#(head)1,"text":"coffee\n\u0001☕"\#(tail)"#,
        #"{"type":"end",\#(head)2.000001\#(tail)"#,
      ])
  }

  @Test func notificationsWithoutRRHaveALine() {
    #expect(
      lines([
        // Flags: contact supported and on, energy expended; 72 bpm, 4660 kJ.
        event(1, .notification(payload: [UInt8](hex: "0e 48 34 12"))),
        // Contact supported and off; no beat found.
        event(2, .notification(payload: [UInt8](hex: "04 00"))),
        // uint16 of 300 bpm, one byte too many.
        event(3, .notification(payload: [UInt8](hex: "11 2c 01 ff"))),
        // Energy expended is announced, and missing.
        event(4, .notification(payload: [UInt8](hex: "08 48"))),
      ]) == [
        #"{"type":"notification",\#(head)1,"hr_bpm":72,"rr_ms":[],"contact":"on","energy_kj":4660\#(tail)"#,
        #"{"type":"notification",\#(head)2,"hr_bpm":null,"rr_ms":[],"contact":"off"\#(tail)"#,
        #"{"type":"notification",\#(head)3,"hr_bpm":300,"rr_ms":[],"contact":"unsupported","leftover_bytes":1\#(tail)"#,
        #"{"type":"notification",\#(head)4,"hex":"0848","error":"heart rate measurement of 2 bytes ends within the energy expended field at byte 2"\#(tail)"#,
      ])
  }

  @Test func aBeatGivesANotificationAndAMeasurement() {
    let found = lines([
      event(0, .link(LinkChange(.connected))), event(1, .notification(payload: [0x10, 0x48, 0x00, 0x04])),
    ])
    #expect(found.count == 3)
    #expect(
      found[1]
        == #"{"type":"notification",\#(head)1,"hr_bpm":72,"rr_ms":[1000],"contact":"unsupported"\#(tail)"#)
    #expect(
      found[2].hasPrefix(
        #"{"type":"measurement",\#(head)1,"verdict":"normal","window_s":60.0,"beats":1,"mean_nn_ms":1000.0,"mean_hr_bpm":60.0,"#
          + #""sdnn_ms":null,"rmssd_ms":null,"ln_rmssd":null,"sdsd_ms":null,"pnn50_percent":null,"pnn20_percent":null,"#
          + #""sd1_ms":null,"sd2_ms":null,"artefact_percent":0.0,"#))
    #expect(
      found[2].contains(
        #""stress":null,"stress_low":null,"stress_high":null,"stress_range_low":null,"stress_range_high":null,"#
          + #""category":null,"#))
  }

  @Test func intervalsOfTextHaveNoTimeAndNoSession() {
    let event = SessionEvent(at: SessionTime(ticks: 80_000 * 812), .interval(RRInterval(ticks: 80_000 * 812)))
    #expect(
      lines([event], session: nil, profile: nil).first
        == #"{"type":"notification","monotonic_s":0.812,"hr_bpm":null,"rr_ms":[812],"contact":"unsupported"}"#
    )
  }

  @Test func aGapHasALineBetweenItsNotifications() {
    let found = lines([
      event(1, .notification(payload: [0x10, 0x48, 0x00, 0x04])), event(2, .link(LinkChange(.lost))),
      event(10, .link(LinkChange(.connected))), event(12, .notification(payload: [0x10, 0x48, 0x00, 0x04])),
    ])
    #expect(
      found.map { String($0.split(separator: "\"")[3]) } == [
        "notification", "measurement", "link", "link", "notification", "gap", "measurement",
      ])
    #expect(found[5].hasPrefix(#"{"type":"gap",\#(head)"#))
    #expect(found[5].contains(#""cause":"link-lost""#))
  }
}
