import HRV
import HeartRate
import LiveFeed
import LiveSession
import Platform
import Reports
import Stress
import Terminal
import TestSupport
import Testing

@testable import Dashboard
@testable import Outlets

/// Terminal, `status`, `live --attach`, `/api/status`, `/metrics`, the page, MQTT, OSC, the chat box, files and events state the same values of a session, through
/// changes of heart rate, silence, loss of the link, steps of the clock, movement, and the end of the process.
@Suite struct AgreementTests {
  @Test func everyOutputAgreesAtEachMoment() async throws {
    let session = try ScriptedSession()
    var withStress = 0
    for moment in ScriptedSession.moments {
      session.play(until: moment.time)
      let found = try await session.outputs()
      withStress += moment.isLive && found[0].stress != nil ? 1 : 0
      #expect(found.map(\.isLive) == found.map { _ in moment.isLive }, "\(moment): \(found)")
      for output in found where moment.isLive {
        if output.statesHeartRate { #expect(output.heartRate == moment.heartRate, "\(moment): \(output)") }
        #expect(output.stress == found[0].stress, "\(moment): \(output)")
        if let age = output.age { #expect(age == moment.age, "\(moment): \(output)") }
      }
    }
    #expect(withStress > 0)
  }
}

/// What an output states.
private struct Output: CustomStringConvertible {
  let name: String
  let isLive: Bool
  var heartRate: Int?
  var statesHeartRate = true
  var stress: Int?
  /// In s.
  var age: Int?

  var description: String { "\(name): \(isLive), \(heartRate ?? -1), \(stress ?? -1), \(age ?? -1)" }
}

/// One session of which every event and every output is simulated with its own clock.
private final class ScriptedSession {
  struct Moment: CustomStringConvertible {
    /// In s of the session.
    let time: Double
    let isLive: Bool
    var heartRate: Int?
    /// Of the newest measurement in s.
    var age = 0

    var description: String { "at \(time) s" }
  }

  /// The session: connected at 1 s, beats of 1 s from 2 s on, of 0.625 s from 60.25 s, silence from 80 s, which the link reports at
  /// 85 s, data from 90 s, a lost link from 110 s to 120 s, the wall clock an hour ahead from 130 s and back from 140 s, walking from
  /// 150 s, and the end of the process at 200 s.
  static let moments = [
    Moment(time: 0.5, isLive: false), Moment(time: 1.5, isLive: false),
    Moment(time: 10.5, isLive: true, heartRate: 60), Moment(time: 31.9, isLive: true, heartRate: 60),
    Moment(time: 45.5, isLive: true, heartRate: 60),
    Moment(time: 59.9, isLive: true, heartRate: 60),
    Moment(time: 64.5, isLive: true, heartRate: 96),
    Moment(time: 79.5, isLive: true, heartRate: 96),
    Moment(time: 83.5, isLive: true, heartRate: 96, age: 3),
    Moment(time: 85.5, isLive: false), Moment(time: 89.5, isLive: false),
    Moment(time: 95.5, isLive: true, heartRate: 60),
    Moment(time: 110.5, isLive: false), Moment(time: 118.5, isLive: false),
    Moment(time: 120.9, isLive: false),
    Moment(time: 125.5, isLive: true, heartRate: 60),
    Moment(time: 135.5, isLive: true, heartRate: 60),
    Moment(time: 145.5, isLive: true, heartRate: 60),
    Moment(time: 199.5, isLive: true, heartRate: 60), Moment(time: 200.5, isLive: false),
  ]

  private static let id = "01KAAAAAAAAAAAAAAAAAAAAAAA"
  private let clock = Locked<Int64>(0)
  private let fixture: ServerFixture
  private var events: [SessionEvent]
  private var engine = StressEngine()
  private var encoder = SessionLineEncoder(session: ScriptedSession.id, profile: "me")
  private var terminal = LiveState()
  private var snapshot: LiveSnapshot
  private var pipeline = EventPipeline()
  private var mqtt = MQTTEncoder(device: MQTTDevice(identity: OutletIdentity(id: "abc")))
  private var osc = OSCEncoder(OSCContent(names: [.hr]))
  private var file = FileEncoder(.text(try! ValueTemplate("{hr} {stress}")))
  private var metricsFile = FileEncoder(.metrics)
  private var text = ""
  private var chat: ChatBox = ChatBox(try! ValueTemplate("{hr} {stress}"))
  private var webhook = EventEncoder(EventEncoder.Options()) { WallTime(microseconds: 0) }
  private var latestEvent: EventEncoder.Message?
  private var lines = 0
  private var hasEnded = false

  init() throws {
    let clock = clock
    fixture = try ServerFixture(measures: false) { clock.withLock { $0 } }
    events = Self.script().sorted { $0.at < $1.at }
    let hello = FeedHello(
      version: "1", session: Self.id, profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: false)
    snapshot = LiveSnapshot(hello)
    fixture.hub.receive(.began(hello))
    pipeline.receive(.began(hello), at: 0)
  }

  // MARK: Events

  private static func script() -> [SessionEvent] {
    let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Polar H10")
    var events = [event(1, .link(LinkChange(.connected, strap: strap)))]
    events += beats(from: 2, to: 60, 1) + beats(from: 60.25, to: 80, 0.625)
    events.append(event(85, .link(LinkChange(.stale, strap: strap))))
    events += beats(from: 90, to: 110, 1)
    events.append(event(110, .link(LinkChange(.lost, strap: strap))))
    events.append(event(112, .link(LinkChange(.searching))))
    events.append(event(118, .link(LinkChange(.connecting))))
    events.append(event(120, .link(LinkChange(.connected, strap: strap))))
    return events + beats(from: 122, to: 200, 1)
  }

  /// Beats with a respiratory variation of ±20 ms, one notification each.
  private static func beats(from begin: Double, to end: Double, _ length: Double) -> [SessionEvent] {
    stride(from: begin, to: end, by: length).enumerated().map { index, time in
      let interval = length + [0.02, 0.01, -0.02, -0.01][index % 4]
      let measurement = HeartRateMeasurement(
        heartRate: UInt16((60 / length).rounded()), contact: .detected,
        rrIntervals: RRIntervals(gattUnits: [UInt16((interval * 1024).rounded())]))
      return event(time, .notification(payload: measurement.encoded()))
    }
  }

  private static func event(_ time: Double, _ kind: SessionEvent.Kind) -> SessionEvent {
    // The wall clock is an hour ahead for ten seconds.
    let step = (130..<140).contains(time) ? 3600.0 : 0
    return SessionEvent(
      at: SessionTime(seconds: time)!,
      wall: WallTime(microseconds: 1_795_000_000_000_000 + Int64((time + step) * 1e6)), kind)
  }

  /// Passes the events until `time` to all outputs, each with the time of its arrival.
  func play(until time: Double) {
    while let event = events.first, event.at.seconds <= time {
      events.removeFirst()
      let now = Int64(event.at.seconds * 1e9)
      clock.withLock { $0 = now }
      engine.process(event) { update in
        encoder.put(update)
        switch update {
        case .event(let event): terminal.update(event)
        case .part(let part): terminal.update(part)
        case .measurement(let measurement): terminal.update(measurement)
        case .sensorClass(let found): terminal.update(found)
        case .ecg(let status): terminal.update(status)
        case .upcoming, .motion, .notice, .processed: break
        }
      }
      var bytes: [UInt8] = []
      encoder.take { bytes += $0 }
      for line in bytes.split(separator: UInt8(ascii: "\n")) { receive(Array(line), at: now) }
      publish(at: now)
    }
    let now = Int64(time * 1e9)
    clock.withLock { $0 = now }
    if time > 200, !hasEnded {
      hasEnded = true
      for end in [FeedEvent.ended(session: Self.id, .lost)] {
        fixture.hub.receive(end)
        pipeline.receive(end, at: now)
      }
    }
    publish(at: now)
  }

  private func receive(_ bytes: [UInt8], at now: Int64) {
    lines += 1
    let line = FeedLine(session: Self.id, number: lines, bytes: bytes)
    if let content = line.content { snapshot.update(content, at: now) }
    fixture.hub.receive(.line(line))
    pipeline.receive(.line(line), at: now)
  }

  private func publish(at now: Int64) {
    for event in pipeline.take(at: now) {
      _ = mqtt.encode(event, at: now)
      _ = osc.encode(event, at: now)
      text = file.encode(event, at: now).last ?? text
      _ = metricsFile.encode(event, at: now)
      if case .values(let values) = event.event { chat.update(values) }
      latestEvent = webhook.encode(event, at: now).last ?? latestEvent
    }
  }

  // MARK: Outputs

  func outputs() async throws -> [Output] {
    let outputs = [
      try await api(), try await metrics(), try await page(), try broker(), avatar(), written(), try posted(),
      measured(), shown(),
    ]
    // The process that prints them has ended.
    return hasEnded ? outputs : outputs + [screen(), try status(), attached()].compactMap(\.self)
  }

  private func api() async throws -> Output {
    Self.output("/api/status", try await fixture.request("GET", "/api/status").json())
  }

  private static func output(_ name: String, _ json: JSONValue) -> Output {
    Output(
      name: name, isLive: json["stale"]?.bool == false, heartRate: json["hr_bpm"]?.number.map { Int($0) },
      stress: json["stress"]?.number.map { Int($0.rounded()) }, age: json["age_s"]?.number.map { Int($0) })
  }

  private func metrics() async throws -> Output {
    let text = try await fixture.request("GET", "/metrics").text
    func value(_ name: String) -> Double? {
      let line = text.split(separator: "\n").first { $0.hasPrefix("stressmon_\(name){") }
      return line.flatMap { Double($0.split(separator: " ").last ?? "") }
    }
    return Output(
      name: "/metrics", isLive: value("heart_rate_bpm") != nil,
      heartRate: value("heart_rate_bpm").map { Int($0) },
      stress: value("stress_score").map { Int($0.rounded()) })
  }

  /// `62 14`, or nothing.
  private static func output(_ name: String, text: String) -> Output {
    let words = text.split(separator: " ")
    return Output(
      name: name, isLive: !words.isEmpty, heartRate: words.first.flatMap { Int($0) },
      stress: words.last.flatMap { Int($0) })
  }

  private func written() -> Output { Self.output("a file", text: text) }

  private func shown() -> Output {
    var chat = chat
    let message = chat.due(at: .max).first
    guard case .string(let text)? = message?.arguments.first else {
      return Self.output("the chat box", text: "")
    }
    return Self.output("the chat box", text: text)
  }

  private func measured() -> Output {
    var encoder = metricsFile
    let lines = encoder.connected(at: 0)[0].split(separator: "\n")
    func value(_ name: String) -> Int? {
      lines.first { $0.hasPrefix("stressmon_\(name){") }?.split(separator: " ").last.flatMap { Double($0) }
        .map { Int($0.rounded()) }
    }
    return Output(
      name: "a file of metrics", isLive: value("live") == 1, heartRate: value("heart_rate_bpm"),
      stress: value("stress_score"))
  }

  private func posted() throws -> Output {
    var encoder = webhook
    let message = encoder.due(at: .max / 2).last ?? latestEvent
    let json = try message.map { try JSONValue(String(decoding: $0.body, as: UTF8.self)) }
    return Output(
      name: "events", isLive: json?["live"]?.bool == true, heartRate: json?["hr_bpm"]?.number.map { Int($0) },
      stress: json?["stress"]?.number.map { Int($0.rounded()) })
  }

  private func page() async throws -> Output {
    let text = try await fixture.request("GET", "/now/values").text
    let state = text.firstMatch(of: /data-state="([a-z]+)"/)?.output.1
    let rate = text.firstMatch(of: /data-value="hr_bpm">(\d+)</)?.output.1
    let number = text.firstMatch(of: /class="ring-number"[^>]*>(\d+)</)?.output.1
    // While data are collected, the page shows the heart rate only.
    let isLive = state == "live" || state == "collecting" && rate != nil
    return Output(
      name: "the page", isLive: isLive, heartRate: rate.flatMap { Int($0) },
      stress: number.flatMap { Int($0) },
      age: text.firstMatch(of: /data-age>(\d+) s ago/).flatMap { Int($0.output.1) })
  }

  private func broker() throws -> Output {
    var encoder = mqtt
    let messages = encoder.connected(at: clock.withLock { $0 })
    func text(_ topic: String) -> String? {
      messages.first { $0.topic.hasSuffix(topic) }.map { String(decoding: $0.payload, as: UTF8.self) }
    }
    let link = text("/link")
    let state = try text("/state").map { try JSONValue($0) }
    return Output(
      name: "MQTT", isLive: link == "online", heartRate: state?["hr_bpm"]?.number.map { Int($0) },
      stress: state?["stress"]?.number.map { Int($0.rounded()) })
  }

  private func avatar() -> Output {
    var encoder = osc
    let messages = encoder.connected(at: clock.withLock { $0 })
    func data(_ name: String) -> ArraySlice<UInt8>? {
      let address = Array("/avatar/parameters/\(name)\0".utf8)
      return messages.first { $0.starts(with: address) }?.suffix(4)
    }
    func bits(_ name: String) -> UInt32 { data(name)?.reduce(0) { $0 << 8 | UInt32($1) } ?? 0 }
    let confidence = Float(bitPattern: bits("confidence"))
    return Output(
      name: "OSC", isLive: data("isHRConnected").map { $0.contains(UInt8(ascii: "T")) } ?? false,
      heartRate: Int(bits("HR")),
      stress: confidence > 0 ? Int((Float(bitPattern: bits("stress")) * 100).rounded()) : nil)
  }

  private func screen() -> Output {
    let lines = LiveScreen(style: .plain, footer: nil).lines(
      terminal, profile: "me", width: 100, height: 12)
    let text = lines.joined(separator: "\n")
    let stress = text.firstMatch(of: #/Stress  . (\d+)\s/#)?.output.1
    // The heart rate of the screen is the mean of the window.
    return Output(
      name: "terminal", isLive: !terminal.isStale, statesHeartRate: false, stress: stress.flatMap { Int($0) })
  }

  private var report: StatusReport? {
    StatusReport(snapshot, metric: .rmssd, now: clock.withLock { $0 }, stored: nil)
  }

  private func status() throws -> Output {
    let json = StatusReport.json(report, profile: "me", text: "")
    return Self.output("status --json", try JSONValue(String(decoding: json, as: UTF8.self)))
  }

  private func attached() -> Output? {
    guard let report else { return nil }
    let text = StatusText(style: .plain).text(report, .medium)
    return Output(
      name: "live --attach", isLive: !text.hasPrefix("("), statesHeartRate: false,
      stress: text.firstMatch(of: #/^\(?. (\d+)\s/#).flatMap { Int($0.output.1) },
      age: text.firstMatch(of: /(\d+) s ago/).flatMap { Int($0.output.1) })
  }
}
