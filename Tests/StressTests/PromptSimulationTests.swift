import BaselineTestSupport
import Glibc
import HRV
import HeartRate
import Motion
import RealModule
import Simulator
import Stress
import TestSupport
import Testing

/// Simulated months and walks. With STRESSMON_PROMPT_FIGURES, prints the tables of docs/design/prompts.md.
@Suite struct PromptSimulationTests {
  private static let seeds: ClosedRange<UInt64> = 1...2
  private static let prints = getenv("STRESSMON_PROMPT_FIGURES") != nil

  @Test func monthsHaveFewPromptsThatLast() {
    var (stillChanged, continued) = (0, 0)
    for kind in SimulatedMonth.Kind.allCases {
      let months = Self.seeds.map { seed in
        var month = SimulatedMonth(kind, seed: seed)
        return month.run()
      }
      let total = { (value: (SimulatedMonth.Result) -> Int) in months.reduce(0) { $0 + value($1) } }
      let most = months.map(\.mostOnADay).max() ?? 0
      stillChanged += total(\.stillChanged)
      continued += total(\.continued)
      #expect(most <= PromptLimits.mostPerDay)
      #expect(total(\.prompts) > 0 && total(\.inWalks) == 0, "\(kind) \(months)")
      #expect(Double(total(\.stillChanged)) >= 0.7 * Double(total(\.continued)), "\(kind) \(months)")
      if Self.prints {
        let percent = (100 * Double(total(\.stillChanged)) / Double(max(1, total(\.continued)))).rounded()
        print(
          "| \(kind.rawValue) | \(total(\.prompts)) | \(most) | \(Int(percent)) % | \(total(\.inEpisodes)) | "
            + "\(total(\.inWalks)) |")
      }
    }
    #expect(Double(stillChanged) >= 0.8 * Double(continued))
  }

  /// 5 minutes of rest, 20 minutes of walking at 80 to 100 bpm, 10 minutes of recovery.
  private static func walk(seed: UInt64, hasAcceleration: Bool) -> [SessionEvent] {
    var random = SeededGenerator(seed: seed)
    let resting = Double.random(in: 52..<72, using: &random)
    let pace = Double.random(in: 82..<98, using: &random)
    let walkingHRV = Double.random(in: 6..<16, using: &random)
    var (time, slow, events) = (0.0, 0.0, [SessionEvent]())
    while time < 2100 {
      let since = time - 1500
      let isWalking = (300..<1500).contains(time)
      slow = 0.99 * slow + 0.2 * random.normal()
      let rate =
        isWalking
        ? min(100, max(80, pace + slow)) : resting + slow + (since > 0 ? 25 * Double.exp(-since / 60) : 0)
      let hrv = isWalking ? walkingHRV : since > 0 ? 40 - (40 - walkingHRV) * Double.exp(-since / 120) : 40
      let interval = 60_000 / rate + hrv / 1.4142 * random.normal()
      time += interval / 1000
      let value = HeartRateMeasurement(
        heartRate: UInt16(rate), contact: .detected,
        rrIntervals: RRIntervals(gattUnits: [UInt16((interval * 1.024).rounded())]))
      events.append(
        SessionEvent(at: SessionTime(ticks: Int64(time * 8e7)), .notification(payload: value.encoded())))
    }
    guard hasAcceleration else { return events }
    var strap = SimulatedStrap(seed: seed, duration: .seconds(2100), faults: .none)
    strap.motion = MotionScript("breathing:300,walking:1200,breathing:600")
    let frames = strap.filter { event in
      switch event.kind {
      case .sensorFrame, .stream: true
      default: false
      }
    }
    return (events + frames).sorted { $0.at < $1.at }
  }

  private static func prompts(_ events: [SessionEvent]) -> Int {
    let baseline = Baseline(
      rmssd: 40, sdnn: 45, restingHeartRate: 62, days: 30, origin: .learned, weight: 0.98)
    var engine = StressEngine(baseline: baseline)
    var rule = PromptRule(usual: 23...69, restingHeartRate: 62)
    var (count, next) = (0, 0.0)
    for event in events {
      engine.update(event) { measurement in
        guard rule.update(PromptInput(measurement)), measurement.time.seconds >= next else { return }
        (count, next) = (count + 1, measurement.time.seconds + 5400)
      }
    }
    return count
  }

  @Test func walksCauseNoPrompts() {
    for hasAcceleration in [false, true] {
      let asked = (1...20).count {
        Self.prompts(Self.walk(seed: $0, hasAcceleration: hasAcceleration)) > 0
      }
      if Self.prints {
        print("| \(hasAcceleration ? "with" : "without") acceleration | 20 | \(20 - asked) |")
      }
      #expect(asked <= (hasAcceleration ? 0 : 1))
    }
  }

  /// The same heart without walking is asked about: the rule is not silent for another reason.
  @Test(arguments: [false, true]) func stressAtRestCausesAPrompt(hasAcceleration: Bool) {
    var random = SeededGenerator(seed: 4)
    var (time, events) = (0.0, [SessionEvent]())
    while time < 1200 {
      let isStressed = time > 360
      let interval = 60_000 / (isStressed ? 68.0 : 62) + (isStressed ? 15.0 : 40) / 1.4142 * random.normal()
      time += interval / 1000
      let value = HeartRateMeasurement(
        heartRate: 68, contact: .detected,
        rrIntervals: RRIntervals(gattUnits: [UInt16((interval * 1.024).rounded())]))
      events.append(
        SessionEvent(at: SessionTime(ticks: Int64(time * 8e7)), .notification(payload: value.encoded())))
    }
    if hasAcceleration {
      var strap = SimulatedStrap(seed: 4, duration: .seconds(1200), faults: .none)
      strap.motion = MotionScript("breathing")
      events += strap.filter { if case .sensorFrame = $0.kind { true } else { false } }
      events.sort { $0.at < $1.at }
    }
    #expect(Self.prompts(events) == 1)
  }
}
