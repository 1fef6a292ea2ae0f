import HeartRate
import TestSupport
import Testing

@testable import Breathing

@Suite struct PatternTests {
  @Test(
    "Valid patterns are parsed, and their description is parsed back",
    arguments: [
      ("4-7-8", "4-7-8-1", "4-7-8"), ("BOX", "4-4-4-4", "box"), ("coherent", "5.5-0-5.5-0", "coherent"),
      ("4-0-6-0", "4-0-6-0", "4-0-6-0"), ("5-5", "5-0-5-0", "5-0-5-0"), ("4-2-6", "4-2-6-0", "4-2-6-0"),
      ("5.5-5.5", "5.5-0-5.5-0", "coherent"), ("4-4-4-4", "4-4-4-4", "box"),
      ("1-0-30-60", "1-0-30-60", "1-0-30-60"),
    ])
  func validPatterns(text: String, seconds: String, name: String) throws {
    let pattern = try BreathingPattern(text)
    #expect(pattern.description == seconds)
    #expect(pattern.name == name)
    #expect(try BreathingPattern(pattern.description) == pattern)
  }

  @Test(
    "Malformed patterns throw an error with an example",
    arguments: [
      "", "-", "4", "4-", "-4-4", "4--4", "4-x", "4-7-8-1-1", "4 - 4", "+4-4", "4e1-4", "nan-4", "inf-4",
      "4-7-\u{0}",
      "0x4-4", "١-٢", "44444444444-4",
    ])
  func malformedPatterns(text: String) {
    #expect(throws: PatternError.malformed(text)) { try BreathingPattern(text) }
    #expect(PatternError.malformed(text).description.contains("4-0-6-0"))
  }

  @Test(
    "Phases out of range throw an error with the phase",
    arguments: [
      ("0-5", BreathPhase.inhale), ("0.9-5", .inhale), ("31-5", .inhale), ("5-0", .exhale), ("4-61-4", .hold),
      ("4-0-4-60.1", .pause),
    ])
  func phasesOutOfRange(text: String, phase: BreathPhase) {
    do {
      _ = try BreathingPattern(text)
      Issue.record("\(text) is a pattern")
    } catch {
      guard case .outOfRange(phase, _, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect("\(error)".contains(phase.rawValue))
    }
  }

  @Test("Formatting and parsing preserve patterns", arguments: 0..<200 as Range<UInt64>)
  func patternRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func seconds(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &random)) / 1000 }
    let pattern = try BreathingPattern(
      inhale: seconds(1000...30_000), hold: seconds(0...60_000), exhale: seconds(1000...30_000),
      pause: seconds(0...60_000))
    #expect(try BreathingPattern(pattern.description) == pattern)
    #expect(ExerciseMark(text: ExerciseMark.pattern(pattern).text) == .pattern(pattern))
    #expect(abs(pattern.rate * pattern.cycleSeconds - 60) < 1e-9)
  }

  @Test("Rates and cycle durations are consistent") func ratesAndLengths() throws {
    #expect(BreathingPattern.relaxing.rate == 3 && BreathingPattern.box.cycleSeconds == 16)
    #expect(abs(try BreathingPattern(even: 5.5).rate - 5.5) < 0.001)
    #expect(BreathingPattern.box.cycles(nearest: .seconds(300)) == 19)
    #expect(BreathingPattern.box.cycles(nearest: .zero) == 1)
    #expect(throws: PatternError.self) { try BreathingPattern(even: 0) }
    #expect(throws: PatternError.self) { try BreathingPattern(even: .nan) }
  }
}

@Suite struct PacedBreathingTests {
  private static let second = RRInterval.ticksPerSecond

  @Test("The phases follow one another with their durations") func phases() throws {
    let breathing = PacedBreathing(.relaxing, cycles: 2)
    let expected: [(Double, BreathPhase, Double, Int)] = [
      (0, .inhale, 4, 0), (3.5, .inhale, 0.5, 0), (4, .hold, 7, 0), (11, .exhale, 8, 0), (19, .pause, 1, 0),
      (20, .inhale, 4, 1), (39.5, .pause, 0.5, 1),
    ]
    for (seconds, phase, remaining, cycle) in expected {
      let position = try #require(breathing.position(at: Int64(seconds * Double(Self.second))))
      #expect(position.phase == phase && position.cycle == cycle && position.cycles == 2, "\(seconds)")
      #expect(abs(position.remaining - remaining) < 1e-9 && abs(position.left - (40 - seconds)) < 1e-9)
    }
    #expect(breathing.position(at: -1) == nil && breathing.position(at: 40 * Self.second) == nil)
    #expect(breathing.duration == .seconds(40))
  }

  @Test(
    "Lung volume is continuous and the breathing phase does not decrease", arguments: 0..<30 as Range<UInt64>)
  func breathIsContinuous(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func seconds(_ least: Double) -> Double { Double.random(in: least...9, using: &random) }
    let pattern = try BreathingPattern(
      inhale: seconds(1), hold: seconds(0), exhale: seconds(1), pause: seconds(0))
    let breathing = PacedBreathing(.init(pattern, cycles: 2), [.init(.box, cycles: 1)])
    var before = try #require(breathing.position(at: 0))
    #expect(before.fullness == 0 && before.breath == 0)
    for tick in stride(from: 0, to: breathing.ticks, by: Int(Self.second / 50)) {
      let now = try #require(breathing.position(at: tick))
      #expect((0...1).contains(now.fullness) && (0..<1).contains(now.progress) && now.remaining > 0)
      #expect(abs(now.fullness - before.fullness) < 0.05)
      if now.stretch == before.stretch { #expect(now.breath >= before.breath) }
      before = now
    }
    #expect(before.stretch == 1 && breathing.starts == [0, 2 * pattern.cycleTicks])
  }
}

@Suite struct GroundingTests {
  @Test("Each sense has one thing fewer than the one before") func thingsPerSense() throws {
    let grounding = Grounding(pace: .seconds(2))
    #expect(grounding.duration == .seconds(30))
    let turns = (0..<15).compactMap { grounding.position(at: .seconds(2 * $0 + 1)) }
    #expect(turns.map(\.sense) == Grounding.Sense.allCases.flatMap { Array(repeating: $0, count: $0.things) })
    #expect(turns.map(\.thing) == [1, 2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 1, 2, 1])
    let first = try #require(grounding.position(at: .seconds(3)))
    #expect(first.left == .seconds(7))
    #expect(grounding.position(at: .seconds(30)) == nil)
    #expect(grounding.position(at: .seconds(-1))?.thing == 1)
  }
}
