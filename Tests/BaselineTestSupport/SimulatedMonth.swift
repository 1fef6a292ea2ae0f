import HeartRate
import RealModule
import Stress
import TestSupport

/// A month of a simulated person who wears a strap for hours on each day, with a measurement every 10 s.
///
/// ln RMSSD of the minutes of a day has a correlation of 0.57 with that of the next minute, so that adjacent minutes differ as
/// in docs/design/range.md. Episodes of stress lower RMSSD and raise the heart rate; walks do so as well, at 80 to 100 bpm. Half
/// of the days have acceleration. Data pause several times a day.
package struct SimulatedMonth: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case calm, stressful, athlete, ill
    case nightShift = "night shift"
  }

  /// What the rule did in the month.
  package struct Result: Sendable {
    package var prompts = 0
    package var mostOnADay = 0
    /// Of the prompts with data two minutes later, those in which the value was still changed.
    package var (stillChanged, continued) = (0, 0)
    package var inEpisodes = 0
    package var inWalks = 0
  }

  private let kind: Kind
  private var random: SeededGenerator
  private static let days = 30
  private static let step = 10.0
  /// Correlation of the state of successive steps. The means of windows of 60 s then have a correlation of 0.57 with those of the
  /// next minute, and the standard deviation ``stateSD`` of the state gives them one of 0.22.
  private static let correlation = Double.exp(-0.92 * step / 60)
  private static let stateSD = 0.252
  private static let utcStart: Int64 = 1_795_000_000

  package init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SeededGenerator(seed: seed)
  }

  private var spread: PopulationSpread {
    var spread = PopulationSpread()
    spread.lnRMSSD = (mean: .log(kind == .athlete ? 80 : 40), people: 0)
    spread.heartRate = (mean: kind == .athlete ? 48 : 62, people: 0)
    return spread
  }

  private var episodesPerDay: Double {
    switch kind {
    case .calm: 0.3
    case .stressful: 2.5
    case .athlete, .ill, .nightShift: 1
    }
  }

  /// Local seconds of the day at which the strap is worn. The day of a night shift ends after midnight.
  private var worn: Range<Double> { kind == .nightShift ? 72_000..<108_000 : 28_800..<79_200 }
  private var quiet: QuietHours? { QuietHours(kind == .nightShift ? "08:00-16:00" : "22:00-07:00") }

  private struct Span {
    var seconds: Range<Double>
    var depth = 0.0
    var rise = 0.0
  }

  /// Spans that begin at random times, `mean` on average.
  private mutating func spans(_ mean: Double, _ length: (inout SeededGenerator) -> Double) -> [Span] {
    var count = Int(mean)
    if Double.random(in: 0..<1, using: &random) < mean - Double(count) { count += 1 }
    return (0..<count).map { _ in
      let start = Double.random(in: worn, using: &random)
      return Span(seconds: start..<start + length(&random))
    }
  }

  /// Lives the month with the rule of prompts.
  package mutating func run() -> Result {
    var person = SimulatedPerson(spread, seed: UInt64.random(in: 0..<1_000_000, using: &random))
    for _ in 0..<20 { _ = person.live() }
    var result = Result()
    guard let evidence = person.evidence, let usual = NormalRange(evidence)?.rmssd else { return result }
    var earlier: [PromptLimits.Earlier] = []
    for day in 0..<Self.days {
      live(day, PromptRule(usual: usual, restingHeartRate: evidence.restingHeartRate), &earlier, &result)
    }
    for day in 0...Self.days {
      let start = Self.utcStart + Int64(day) * 86_400
      result.mostOnADay = max(
        result.mostOnADay,
        earlier.count { (start..<start + 86_400).contains($0.time.microseconds / 1_000_000) })
    }
    return result
  }

  private mutating func live(
    _ day: Int, _ initial: PromptRule, _ earlier: inout [PromptLimits.Earlier], _ result: inout Result
  ) {
    var rule = initial
    let isIll = kind == .ill && (10..<15).contains(day)
    let level = Double.log(kind == .athlete ? 80 : 40) + 0.25 * random.normal() - (isIll ? 0.5 : 0)
    let rate = (kind == .athlete ? 48.0 : 62.0) + 4.5 * random.normal() + (isIll ? 10 : 0)
    let hasAcceleration = day.isMultiple(of: 2)
    var episodes = spans(episodesPerDay) { -1500 * .log(Double.random(in: 0.05..<1, using: &$0)) }
    for index in episodes.indices {
      episodes[index].depth = Double.random(in: 0.5..<1, using: &random)
      episodes[index].rise = Double.random(in: 5..<15, using: &random)
    }
    var walks = spans(2) { _ in 1200 }
    for index in walks.indices { walks[index].rise = Double.random(in: 80..<100, using: &random) }
    let pauses = spans(4) { Double.random(in: 20..<900, using: &$0) }
    var (noise, pending) = (random.normal(), [(at: Double, rule: PromptRule)]())
    var window = Array(repeating: noise, count: 6)
    for second in stride(from: worn.lowerBound, to: worn.upperBound, by: Self.step) {
      noise =
        Self.correlation * noise + (1 - Self.correlation * Self.correlation).squareRoot() * random.normal()
      window = window.dropFirst() + [noise]
      guard !pauses.contains(where: { $0.seconds.contains(second) }) else { continue }
      let episode = episodes.first { $0.seconds.contains(second) }
      let walk = walks.first { $0.seconds.contains(second) }
      let recovery = walks.contains {
        $0.seconds.upperBound <= second && second < $0.seconds.upperBound + 240
      }
      let lowered = walk == nil ? (episode?.depth ?? 0) + (recovery ? 0.5 : 0) : 1.0
      let input = input(
        second, rmssd: .exp(level + Self.stateSD * window.reduce(0, +) / 6 - lowered),
        heartRate: (walk?.rise ?? rate + (episode?.rise ?? 0) + (recovery ? 6 : 0)) + random.normal(),
        isWalking: walk != nil, hasAcceleration, initial)
      let isDue = rule.update(input)
      for prompt in pending where prompt.at + 120 <= second {
        guard second < prompt.at + 120 + 2 * Self.step else { continue }
        result.continued += 1
        if prompt.rule.isChanged(input) { result.stillChanged += 1 }
      }
      pending.removeAll { $0.at + 120 <= second }
      guard isDue, permits(second, day, earlier) else { continue }
      earlier.append(.init(time: wall(second, day)))
      pending.append((second, rule))
      result.prompts += 1
      if episode != nil { result.inEpisodes += 1 }
      if walk != nil { result.inWalks += 1 }
    }
  }

  private func wall(_ second: Double, _ day: Int) -> WallTime {
    WallTime(microseconds: (Self.utcStart + Int64(day) * 86_400 + Int64(second)) * 1_000_000)
  }

  private func permits(_ second: Double, _ day: Int, _ earlier: [PromptLimits.Earlier]) -> Bool {
    let minute = Int(second / 60) % 1440
    guard quiet?.contains(minute: minute) != true else { return false }
    let start = wall(second < 86_400 ? 0 : 86_400, day)
    return PromptLimits.permit(at: wall(second, day), dayStart: start, earlier: earlier)
  }

  private func input(
    _ second: Double, rmssd: Double, heartRate: Double, isWalking: Bool, _ hasAcceleration: Bool,
    _ rule: PromptRule
  ) -> PromptInput {
    let usual = kind == .athlete ? (80.0, 48.0) : (40, 62)
    let score = try? StressScore(
      StressScore.Inputs(
        hrv: rmssd, heartRate: max(40, heartRate), baselineHRV: usual.0, restingHeartRate: usual.1))
    let motion = MotionSummary(
      still: isWalking ? 0 : 0.9, locomotion: isWalking ? 1 : 0, isMoving: isWalking)
    return PromptInput(
      time: SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond), rmssd: rmssd,
      heartRate: heartRate, stress: hasAcceleration && isWalking ? nil : score?.value, confidence: 0.9,
      motion: hasAcceleration ? motion : nil)
  }
}
