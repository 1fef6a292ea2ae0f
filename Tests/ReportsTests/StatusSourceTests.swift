import HeartRate
import History
import LiveSession
import Localization
import Platform
import Simulator
import Stress
import TestSupport
import Testing

@testable import Reports

/// The status and the trends of a history with known times.
@Suite struct StatusSourceTests {
  private let folder: TemporaryFolder
  private let location: StoreLocation
  private static let start = WallTime(microseconds: 1_795_000_000_000_000)
  private static let utc = LocalCalendar { _ in 0 }
  private static let source = StatusSource(
    profile: "me", metric: .rmssd, interval: .seconds(10), calendar: utc)

  init() throws {
    folder = try TemporaryFolder(prefix: "glance")
    location = try StoreLocation(path: folder.file("heart.db"), environment: ["HOME": folder.path])
  }

  /// A running session from `start`.
  private func session(
    from start: WallTime = start, lasting duration: Duration, source: SessionInfo.Source = .strap,
    _ more: [SessionEvent] = []
  ) async throws -> SessionWriter {
    var random = SystemRandomNumberGenerator()
    let info = SessionInfo(
      id: SessionID(started: start, using: &random), profile: "me", source: source, started: start,
      zone: "UTC",
      utcOffset: 0, monotonicNanoseconds: 0, settings: .init(), baseline: .populationDefault,
      programVersion: "0.1.0")
    let writer = SessionWriter(info, at: location)
    var engine = StressEngine()
    var last = SessionTime.zero
    for event in Array(SimulatedStrap(seed: 3, startWall: start, duration: duration, faults: .none)) + more {
      writer.append(event)
      engine.update(event) { writer.append($0) }
      last = event.at
    }
    for _ in 0..<30_000 where writer.status != .saved(upTo: last) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(writer.status == .saved(upTo: last))
    return writer
  }

  private func reader() throws -> HistoryReader { try #require(try HistoryReader(location)) }

  private func status(_ detail: StatusSource.Detail = .trend, after last: Int64) throws -> StatusReport {
    let reader = try reader()
    let latest = try #require(try reader.latestMeasurements(of: "me", limit: 1).first)
    return try #require(try Self.source.status(reader, detail, now: latest.time.moved(seconds: last)))
  }

  @Test func onlyNewMeasurementsOfARunningSessionAreLive() async throws {
    let writer = try await session(lasting: .seconds(120))
    for (age, isLive) in [(0, true), (29, true), (31, false), (-4, true), (86_400, false)]
      as [(Int64, Bool)]
    {
      let status = try self.status(after: age)
      #expect(status.isLive == isLive, "\(age)")
      #expect(status.age == age)
    }
    // Measurements from the future, stored while the clock was ahead, are not live and are skipped.
    #expect(try !status(after: -86_400).isLive)
    #expect(try status(after: -60).age < 60)
    #expect(await writer.finish(at: SessionTime(ticks: 0)) == nil)
    #expect(try status(after: 0).freshness == .ended)
  }

  @Test(arguments: [
    (LinkChange.State.lost, StatusReport.Freshness.stale(reason: Phrase("link lost"))),
    (.stale, .stale(reason: Phrase("link lost"))),
    (.searching, .stale(reason: Phrase("searching for the strap"))),
    (.connecting, .stale(reason: Phrase("searching for the strap"))), (.connected, .live),
  ])
  func aLostLinkIsStale(state: LinkChange.State, freshness: StatusReport.Freshness) async throws {
    let at = SessionTime(ticks: 61 * RRInterval.ticksPerSecond)
    let writer = try await session(
      lasting: .seconds(60),
      [SessionEvent(at: at, wall: Self.start.moved(seconds: 61), .link(LinkChange(state)))])
    #expect(try status(after: 3).freshness == freshness)
    _ = await writer.finish(at: at)
  }

  @Test("After a reconnection, the value from before is stale until the next measurement")
  func aReconnectedStrapHasNoLiveValueYet() async throws {
    let states: [LinkChange.State] = [.lost, .searching, .connecting, .connected]
    let changes = states.enumerated().map { place, state in
      let second = Int64(61 + place)
      return SessionEvent(
        at: SessionTime(ticks: second * RRInterval.ticksPerSecond), wall: Self.start.moved(seconds: second),
        .link(LinkChange(state)))
    }
    let writer = try await session(lasting: .seconds(60), changes)
    #expect(try status(after: 5).freshness == .stale(reason: Phrase("waiting for new data")))
    _ = await writer.finish(at: .zero)
  }

  @Test("A session without a measurement shows how much data it has collected")
  func aSessionThatHasJustBegunIsCollecting() async throws {
    let writer = try await session(lasting: .seconds(20))
    let now = Self.start.moved(seconds: 21)
    let status = try #require(try Self.source.status(try reader(), .trend, now: now))
    let collected = try #require(status.collected)
    #expect((10..<20).contains(collected.seconds) && collected.required == 30)
    #expect(status.isLive && status.stress == nil)
    _ = await writer.finish(at: .zero)
    #expect(try Self.source.status(try reader(), .trend, now: now) == nil)
  }

  @Test func trendRequiresHalfAnHour() async throws {
    let writer = try await session(lasting: .seconds(2400))
    let status = try self.status(.today, after: 1)
    #expect(status.isLive && status.trend != nil)
    #expect(status.recent.count == 12 && status.recent.last != nil)
    #expect(status.insight.map { Language.english.text($0) }?.hasSuffix("on average today") == true)
    _ = await writer.finish(at: .zero)
    #expect(try self.status(.today, after: 1).trend == nil)
  }

  @Test func todayIsComparedWithTheWeeksBefore() async throws {
    for day in 0...6 as ClosedRange<Int64> {
      let writer = try await session(from: Self.start.moved(seconds: day * 86_400), lasting: .seconds(2000))
      _ = await writer.finish(at: SessionTime(ticks: 2000 * RRInterval.ticksPerSecond))
    }
    let insight = Language.english.text(try #require(try status(.today, after: 60).insight))
    // All days have the same seed, so they are equal.
    #expect(insight.hasPrefix("a usual day so far ("), "\(insight)")
  }

  @Test func daysAreComparedWithTheWeeksBeforeAndContainTheirSessions() async throws {
    for day in 0...6 as ClosedRange<Int64> {
      let writer = try await session(from: Self.start.moved(seconds: day * 86_400), lasting: .seconds(2000))
      _ = await writer.finish(at: SessionTime(ticks: 2000 * RRInterval.ticksPerSecond))
    }
    let (reader, first) = (try reader(), Self.utc.day(of: Self.start))
    let means = try DayMeans(reader.quarterHours(of: "me", in: HistoryFilter.always), Self.utc)
    let latest = try #require(means.comparison(of: first + 6))
    #expect(latest.kind == .usual && Language.english.text(latest.sentence).hasPrefix("A usual day: "))
    // Four days before it do not suffice.
    #expect(means.comparison(of: first + 4)?.kind == nil && means.comparison(of: first + 7) == nil)
    let listing = try DayListing(reader, of: "me", in: HistoryFilter.always, limit: 3, Self.utc)
    #expect(listing.days.map(\.day) == [first + 4, first + 5, first + 6])
    for day in listing.days {
      guard case .session(let summary) = try #require(day.items.first) else {
        Issue.record("no session")
        continue
      }
      // The means that SQLite computes are those of the measurements.
      let all = try reader.measurements(of: "me", in: HistoryFilter.always)
        .filter { $0.session == summary.session.info.id }
      let stated = all.filter { $0.suspension == nil }.compactMap(\.stress)
      #expect(summary.means.count == all.count && !summary.means.isReading)
      #expect(abs(try #require(summary.means.stress) - stated.reduce(0, +) / Double(stated.count)) < 1e-9)
      for category in StressCategory.allCases {
        #expect(summary.means[category] == all.count { $0.statedCategory == category })
      }
      #expect(!day.quarters.isEmpty && day.sums.measurements == all.count)
    }
  }

  @Test func trendsEqualTheStatisticsOfTheMeasurements() async throws {
    let writer = try await session(lasting: .seconds(5000))
    _ = await writer.finish(at: SessionTime(ticks: 5000 * RRInterval.ticksPerSecond))
    let reader = try reader()
    let all = try reader.measurements(of: "me", in: Self.start..<Self.start.moved(seconds: 86_400))
    let usable = all.filter(\.isUsable)
    let stress = usable.compactMap(\.stress)
    let mean = stress.reduce(0, +) / Double(stress.count)
    let deviation = (stress.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(stress.count - 1))
      .squareRoot()
    let period = TrendPeriod(hoursUntil: Self.start.moved(seconds: 5000), Self.utc)
    let trends = try Trends(reader, of: "me", period)
    let whole = try #require(trends.whole[.stress])
    let found = try #require(whole.deviation)
    #expect(abs(whole.mean - mean) < 1e-9 && abs(found - deviation) < 1e-9)
    #expect(whole.low == stress.min() && whole.high == stress.max())
    #expect(trends.whole.scored == all.count { $0.stress != nil } && trends.whole.usable == stress.count)
    #expect(trends.whole.measurements == all.count)
    for category in StressCategory.allCases {
      #expect(trends.whole[category] == usable.count { $0.category == category })
    }
    for (part, sums) in zip(period.parts, trends.sums) {
      #expect(sums.measurements == all.count { part.times.contains($0.time) })
    }
    #expect(trends.sums.count { $0.measurements > 0 } > 1 && !trends.isSimulated)
    #expect(try Trends(reader, of: "nobody", period).whole == MeasurementSums())
  }
}
