import Glibc
import Stress
import TestSupport
import Testing

@testable import Reports

/// The associations of movement and nights with the stress of the next day.
@Suite struct DayEffectsTests {
  /// A simulated person: stress, movement and nights depend on the day before, and weekends have less stress and more movement.
  private static func days(
    _ random: inout SeededGenerator, memory: Double, movement effect: Double = 0, missing: Double = 0.2
  ) -> [DayEffects.Day] {
    func next(_ value: Double, _ random: inout SeededGenerator) -> Double {
      memory * value + (1 - memory * memory).squareRoot() * random.normal()
    }
    var (stress, movement, sleep, night) = (
      random.normal(), random.normal(), random.normal(), random.normal()
    )
    var days: [DayEffects.Day] = []
    for number in 20_000..<20_090 {
      let isFree = TrendPeriod.weekday(Int64(number)) >= 5
      stress = next(stress, &random)
      var factors: [DayEffects.Factor: Double] = [:]
      let values = [
        (DayEffects.Factor.movement, movement + (isFree ? 0.7 : 0)), (.sleep, sleep),
        (.nightRMSSD, 0.5 * sleep + night),
      ]
      for (factor, value) in values where Double.random(in: 0..<1, using: &random) >= missing {
        factors[factor] = 20 + 5 * value
      }
      if Double.random(in: 0..<1, using: &random) >= missing {
        let level = 40 + 8 * (stress + effect * movement) - (isFree ? 6 : 0)
        days.append(DayEffects.Day(number: number, stress: level, factors: factors))
      }
      movement = next(movement, &random)
      sleep = next(sleep, &random)
      night = next(night, &random)
    }
    return days
  }

  private static func effects(_ days: [DayEffects.Day], _ random: inout SeededGenerator) -> DayEffects {
    DayEffects(days, of: "me", shuffles: 199, using: &random)
  }

  /// `STRESSMON_DAY_PEOPLE=5000 swift test --filter DayEffectsTests` simulates more people.
  @Test("At most 5 % of people without an effect get a sentence", arguments: [0.0, 0.4, 0.7])
  func noEffect(memory: Double) {
    var random = SeededGenerator(seed: 37)
    let people = getenv("STRESSMON_DAY_PEOPLE").flatMap { Int(String(cString: $0)) } ?? 300
    let stated = (0..<people).count { _ in
      !Self.effects(Self.days(&random, memory: memory), &random).sentences.isEmpty
    }
    let rate = Double(stated) / Double(people)
    print("memory \(memory): \(100 * rate) % of \(people) people without an effect get a sentence")
    #expect(rate <= 0.05 + 2 * (0.05 * 0.95 / Double(people)).squareRoot())
  }

  @Test("An effect of 0.7 SD is found in most people, with its sign")
  func effect() {
    var random = SeededGenerator(seed: 38)
    let found = (0..<60).map { _ in
      Self.effects(Self.days(&random, memory: 0.3, movement: -0.7), &random)
    }
    let right = found.count { effects in
      effects.effects.effects.contains { $0.trigger == "movement" && $0.isBeyondChance && $0.difference < 0 }
    }
    #expect(right >= 40, "\(right) of 60")
    let wrong = found.count { effects in
      effects.effects.effects.contains { $0.trigger == "movement" && $0.isBeyondChance && $0.difference > 0 }
    }
    #expect(wrong == 0)
  }

  @Test("Days without a factor are not compared for it, and few days are not tested")
  func unknown() {
    var random = SeededGenerator(seed: 1)
    var days = (0..<30).map { number in
      DayEffects.Day(
        number: number, stress: Double(30 + number % 7), factors: [.sleep: Double(20_000 + number)])
    }
    for place in 0..<9 { days[place].factors[.movement] = Double(place) }
    let effects = DayEffects(days, of: "me", using: &random).effects
    #expect(effects.effects.map(\.trigger) == ["sleep"] && effects.tooFew.map(\.trigger) == ["movement"])
    #expect(effects.effects.first.map { $0.with + $0.without } == 30)
    days[20].factors = [:]
    #expect(
      DayEffects(days, of: "me", using: &random).effects.effects.first.map { $0.with + $0.without } == 29)
    #expect(DayEffects([], of: "me", using: &random).effects.effects.isEmpty)
  }
}

extension SeededGenerator {
  /// Approximately of the standard normal distribution.
  fileprivate mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
