import Dispatch
import GRDB
import HRV
import HeartRate
import History
import LiveSession
import Platform
import Stress
import Synchronization
import TestSupport
import Testing

@testable import Session

/// A stressed heart at rest: a notification each interval of about 900 ms with an RMSSD of 14 ms.
private func stressed(seconds: Double, from start: Double = 0) -> [SessionEvent] {
  var random = SeededGenerator(seed: 5)
  var (time, events) = (start, [SessionEvent]())
  while time < start + seconds {
    let units = 921 + Int.random(in: -18...18, using: &random)
    time += Double(units) / 1024
    let value = HeartRateMeasurement(
      heartRate: 67, contact: .detected, rrIntervals: RRIntervals(gattUnits: [UInt16(units)]))
    let at = SessionTime(ticks: Int64(time * 8e7))
    events.append(
      SessionEvent(at: at, wall: noon.advanced(ticks: at.ticks), .notification(payload: value.encoded())))
  }
  return events
}

private let noon = WallTime(microseconds: 1_795_003_200_000_000)
private let baseline = Baseline(
  rmssd: 40, sdnn: 45, restingHeartRate: 62, days: 30, origin: .learned, weight: 0.98)

@Suite struct SessionWatchTests {
  private let folder: TemporaryFolder
  private let location: StoreLocation

  init() throws {
    folder = try TemporaryFolder()
    location = try StoreLocation(path: folder.file("history.db"), environment: [:])
  }

  private func store(_ number: Int64 = 0, profile: String = "me") async throws -> SessionID {
    var random = SeededGenerator(seed: UInt64(number))
    let started = noon.advanced(ticks: number * 80_000_000)
    let info = SessionInfo(
      id: SessionID(started: started, using: &random), profile: profile, source: .strap, started: started,
      zone: "UTC", utcOffset: 0, monotonicNanoseconds: 0, settings: .init(), baseline: baseline,
      programVersion: "1")
    let writer = SessionWriter(info, at: location)
    writer.append(SessionEvent(at: .zero, wall: started, .notification(payload: [0x10, 60, 0, 4])))
    _ = await writer.finish(at: .zero)
    return info.id
  }

  private func watch(
    _ session: SessionID, profile: String = "me", quiet: QuietHours? = nil, offset: Int = 0
  ) -> PromptWatch {
    PromptWatch(
      PromptRule(usual: 22...61, restingHeartRate: 62), quiet: quiet,
      desk: PromptDesk(session: session, profile: profile, location: location),
      calendar: LocalCalendar { _ in offset })
  }

  /// The notices of a session; the next event arrives once a prompt is stored.
  private func notices(
    _ events: [SessionEvent], _ settings: NoticeSettings, _ prompts: PromptWatch? = nil,
    waitsForDisk: Bool = true
  ) async throws -> [SessionNotice] {
    var watch = SessionWatch(settings, prompts: prompts)
    var engine = StressEngine(baseline: baseline)
    var found: [SessionNotice] = []
    for event in events {
      engine.process(event) { watch.update($0) { found.append($0) } }
      if waitsForDisk, event.at.seconds > 299 { prompts?.desk.queue.sync {} }
    }
    return found
  }

  private var prompting: NoticeSettings {
    var settings = NoticeSettings()
    settings.prompts = NoticeSettings.Prompts(quiet: nil)
    return settings
  }

  @Test func aPromptIsStoredBeforeItIsShown() async throws {
    let session = try await store()
    let found = try await notices(stressed(seconds: 900), prompting, watch(session))
    let reader = try #require(try HistoryReader(location))
    let stored = try #require(try reader.prompts(of: "me").first)
    #expect(found == [.prompt(stored.id, stored.measurement)])
    #expect(stored.measurement.rmssd < 22 && stored.measurement.confidence >= 0.6)
  }

  @Test func twoSessionsAskOnce() async throws {
    let (first, second) = (try await store(), try await store(1))
    let a = try await notices(stressed(seconds: 600), prompting, watch(first))
    let b = try await notices(stressed(seconds: 600), prompting, watch(second))
    #expect(a.count == 1 && b.isEmpty)
    let anns = try await store(2, profile: "ann")
    let other = try await notices(stressed(seconds: 600), prompting, watch(anns, profile: "ann"))
    #expect(other.count == 1)
  }

  @Test func quietHoursAreThoseOfTheLocalClock() async throws {
    let session = try await store()
    let night = try #require(QuietHours("22:00-07:00"))
    // Noon in UTC is 23:00 eleven hours further east, and 06:00 six hours further west.
    for hours in [11, -6] {
      let silent = watch(session, quiet: night, offset: hours * 3600)
      #expect(try await notices(stressed(seconds: 600), prompting, silent).isEmpty)
    }
    #expect(try await notices(stressed(seconds: 600), prompting, watch(session, quiet: night)).count == 1)
  }

  /// The clock jumps from 02:00 to 03:00 and, in autumn, back: the hours are those that the clock shows.
  @Test func quietHoursFollowDaylightSavingTime() async throws {
    let quiet = try #require(QuietHours("01:00-03:00"))
    // 01:59 is quiet; the next minute is 03:00, which is not.
    let change = WallTime(microseconds: noon.microseconds)
    let spring = LocalCalendar { $0 < change ? -10 * 3600 : -9 * 3600 }
    let minutes = [-1, 0].map { minute in
      let clock = spring.clockText(change.advanced(ticks: Int64(minute) * 60 * 80_000_000))
      return 60 * (Int(clock.prefix(2)) ?? 0) + (Int(clock.dropFirst(3).prefix(2)) ?? 0)
    }
    #expect(minutes == [119, 180] && minutes.map(quiet.contains) == [true, false])
    // In autumn, the hour that occurs twice is quiet twice.
    let autumn = LocalCalendar { $0 < change ? -9 * 3600 : -10 * 3600 }
    let hours: [Int64] = [-1, 0, 59, 60]
    let clocks = hours.map { autumn.clockText(change.advanced(ticks: $0 * 60 * 80_000_000)).prefix(5) }
    #expect(clocks == ["02:59", "02:00", "02:59", "03:00"])
    let session = try await store()
    let repeated = PromptWatch(
      PromptRule(usual: 22...61, restingHeartRate: 62), quiet: quiet,
      desk: PromptDesk(session: session, profile: "me", location: location), calendar: autumn)
    #expect(try await notices(stressed(seconds: 600), prompting, repeated).isEmpty)
    let asked = PromptWatch(
      PromptRule(usual: 22...61, restingHeartRate: 62), quiet: quiet,
      desk: PromptDesk(session: session, profile: "me", location: location), calendar: spring)
    #expect(try await notices(stressed(seconds: 600), prompting, asked).count == 1)
  }

  @Test func pacedBreathingIsNotAskedAbout() async throws {
    let session = try await store()
    var events = stressed(seconds: 900)
    events.insert(SessionEvent(at: events[5].at, .mark(BreathingMark.begins.rawValue)), at: 6)
    #expect(try await notices(events, prompting, watch(session)).isEmpty)
  }

  /// A link that is lost every four minutes never leaves five minutes of rest.
  @Test func staleValuesCauseNothing() async throws {
    let session = try await store()
    var settings = prompting
    settings.alarms = [try #require(AlarmCondition("hr > 60 for 5m"))]
    let events = (0..<4).flatMap { round -> [SessionEvent] in
      let part = stressed(seconds: 240, from: Double(round) * 260)
      let lost = SessionTime(ticks: part.last!.at.ticks + 80_000_000)
      return part + [SessionEvent(at: lost, .link(LinkChange(.lost)))]
    }
    #expect(try await notices(events, settings, watch(session)).isEmpty)
  }

  /// A prompt that the disk accepts too late is not shown.
  @Test func aSlowDiskNeitherDelaysTheSessionNorShowsAnOldPrompt() async throws {
    let session = try await store()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(path: location.path, configuration: configuration)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let start = ContinuousClock.now
    let found = try await notices(stressed(seconds: 900), prompting, watch(session), waitsForDisk: false)
    let elapsed = ContinuousClock.now - start
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(found.isEmpty)
    // Far less than the timeout of the lock, which is 5 s.
    #expect(elapsed < .seconds(4))
  }

  @Test func anAlarmReachesTheSinksAfterItsMeasurement() async throws {
    var settings = NoticeSettings()
    settings.alarms = try #require(
      AlarmCondition.list("hr > 60 for 20s; rmssd < 20 for 30s; stress < 1 for 1s"))
    let announced = Mutex<[SessionNotice]>([])
    let events = stressed(seconds: 120)
    let sink = Collector { update in
      if case .notice(let notice) = update { announced.withLock { $0.append(notice) } }
      return .proceed
    }
    let stream = AsyncThrowingStream<SessionEvent, any Error> { continuation in
      for event in events { continuation.yield(event) }
      continuation.finish()
    }
    let pipeline = SessionPipeline(
      engine: StressEngine(baseline: baseline), sinks: [sink], watch: SessionWatch(settings))
    try await pipeline.run(StreamSource(stream: stream))
    #expect(announced.withLock { $0 } == settings.alarms.prefix(2).map { .alarm($0) })
    #expect(sink.names.count { $0 == "notice" } == 2)
  }

  @Test func noticeLinesAreDecodedAsTheyWereEncoded() throws {
    let prompt = StressPrompt(time: noon, stress: 61.5, confidence: 0.875, rmssd: 12.25, normal: 22...61)
    let notices: [SessionNotice] = [
      .prompt(3, prompt), .category(.high), .alarm(try #require(AlarmCondition("hr > 170 for 30s"))),
    ]
    for notice in notices {
      var encoder = SessionLineEncoder(session: "S", profile: "me")
      encoder.put(.event(SessionEvent(at: .zero, wall: noon, .mark("m"))))
      encoder.take { _ in }
      encoder.put(.notice(notice))
      var bytes: [UInt8] = []
      encoder.take { bytes = Array($0) }
      #expect(SessionLine(bytes)?.content == .notice(notice), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
