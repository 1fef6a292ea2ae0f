import HeartRate

/// The four phases of a breathing cycle.
package enum BreathPhase: String, Sendable, CaseIterable {
  case inhale
  /// Hold after inhaling.
  case hold
  case exhale
  /// Hold after exhaling.
  case pause
}

/// A breathing cycle: the duration of each phase.
package struct BreathingPattern: Equatable, Sendable {
  /// A phase and its duration.
  package struct Part: Equatable, Sendable {
    /// The phase.
    package let phase: BreathPhase
    /// Duration in ticks of 1/80,000 ms; above 0.
    package let ticks: Int64

    /// Duration in seconds.
    package var seconds: Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }
  }

  /// The phases with a non-zero duration, in order; the first is `inhale`.
  package let parts: [Part]

  /// Valid durations of inhaling and exhaling in seconds; the resolution is 1 ms.
  package static let breaths = 1.0...30
  /// Valid durations of a hold or a pause in seconds.
  package static let holds = 0.0...60

  /// Creates a pattern from seconds, rounded to 1 ms.
  /// - Throws: ``PatternError`` if a phase is out of range.
  package init(inhale: Double, hold: Double, exhale: Double, pause: Double) throws(PatternError) {
    let lengths: [(BreathPhase, Double)] = [
      (.inhale, inhale), (.hold, hold), (.exhale, exhale), (.pause, pause),
    ]
    var parts: [Part] = []
    for (phase, seconds) in lengths {
      let range = phase == .inhale || phase == .exhale ? Self.breaths : Self.holds
      guard range.contains(seconds) else { throw .outOfRange(phase, seconds: seconds, range) }
      let milliseconds = Int64((seconds * 1000).rounded())
      guard milliseconds > 0 else { continue }
      parts.append(Part(phase: phase, ticks: milliseconds * RRInterval.ticksPerMillisecond))
    }
    self.parts = parts
  }

  private init(milliseconds: [(BreathPhase, Int64)]) {
    parts = milliseconds.map { Part(phase: $0, ticks: $1 * RRInterval.ticksPerMillisecond) }
  }

  /// 4-7-8 breathing: inhale 4 s, hold 7 s, exhale 8 s, pause 1 s.
  package static let relaxing = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 7000), (.exhale, 8000), (.pause, 1000)])
  /// Box breathing: four phases of 4 s.
  package static let box = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 4000), (.exhale, 4000), (.pause, 4000)])
  /// Coherent breathing: inhale 5.5 s, exhale 5.5 s.
  package static let coherent = BreathingPattern(milliseconds: [(.inhale, 5500), (.exhale, 5500)])
  /// Calming breathing: inhale 4 s, exhale 6 s, without a hold, which is easier in distress.
  package static let calming = BreathingPattern(milliseconds: [(.inhale, 4000), (.exhale, 6000)])

  /// Creates a pattern with equal inhale and exhale at `rate` breaths per minute (1 to 30); each is rounded
  /// to 1 ms.
  /// - Throws: ``PatternError`` if the rate is out of range.
  package init(even rate: Double) throws(PatternError) {
    let half = 30 / rate
    try self.init(inhale: half, hold: 0, exhale: half, pause: 0)
  }

  /// Duration of a cycle in ticks.
  package var cycleTicks: Int64 { parts.reduce(0) { $0 + $1.ticks } }

  /// Duration of a cycle in seconds.
  package var cycleSeconds: Double { Double(cycleTicks) / Double(RRInterval.ticksPerSecond) }

  /// Breaths per minute.
  package var rate: Double { 60 / cycleSeconds }

  /// Returns the duration of a phase in seconds; 0 if the pattern does not have it.
  package func seconds(of phase: BreathPhase) -> Double {
    parts.first { $0.phase == phase }?.seconds ?? 0
  }

  /// Returns the number of cycles whose duration is nearest to `length`, at least one.
  package func cycles(nearest length: Duration) -> Int {
    Int(max(1, (Double(length.ticks) / Double(cycleTicks)).rounded()))
  }
}

/// The reason why a text is not a valid breathing pattern.
package enum PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  case malformed(String)
  case outOfRange(BreathPhase, seconds: Double, ClosedRange<Double>)

  package var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a breathing pattern. Type 4-7-8, box, coherent, or the seconds of inhaling, holding, exhaling and "
        + "pausing, such as 4-0-6-0."
    case .outOfRange(let phase, let seconds, let range):
      "\(phase.rawValue) of \(BreathingPattern.text(seconds)) s is out of range: expected "
        + "\(BreathingPattern.text(range.lowerBound)) to \(BreathingPattern.text(range.upperBound)) s."
    }
  }
}

extension BreathingPattern: CustomStringConvertible {
  /// Parses a name (`4-7-8`, `box`, `coherent`) or seconds per phase: `5-5` inhale and exhale, `4-2-6`
  /// inhale, hold and exhale, `4-0-6-0` inhale, hold, exhale and pause. Seconds can have decimals. `4-7-8`
  /// includes its pause of one second.
  /// - Throws: ``PatternError`` for malformed text and for phases out of range.
  package init(_ text: String) throws(PatternError) {
    if let named = Self.named.first(where: { $0.name == text.lowercased() }) {
      self = named.pattern
      return
    }
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    let seconds = words.compactMap(Self.seconds)
    guard seconds.count == words.count else { throw .malformed(text) }
    switch seconds.count {
    case 2: try self.init(inhale: seconds[0], hold: 0, exhale: seconds[1], pause: 0)
    case 3: try self.init(inhale: seconds[0], hold: seconds[1], exhale: seconds[2], pause: 0)
    case 4: try self.init(inhale: seconds[0], hold: seconds[1], exhale: seconds[2], pause: seconds[3])
    default: throw .malformed(text)
    }
  }

  private static let named: [(name: String, pattern: BreathingPattern)] = [
    ("4-7-8", .relaxing), ("box", .box), ("coherent", .coherent),
  ]

  /// Accepts only digits and a decimal point, no other number syntax.
  private static func seconds(_ word: Substring) -> Double? {
    guard !word.isEmpty, word.utf8.count <= 9,
      word.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(word)
  }

  /// The seconds of the four phases, such as `4-7-8-1`. Parsing the description gives the same pattern.
  package var description: String {
    BreathPhase.allCases.map { Self.text(seconds(of: $0)) }.joined(separator: "-")
  }

  /// The name of a predefined pattern; otherwise the description.
  package var name: String { Self.named.first { $0.pattern == self }?.name ?? description }

  /// Formats seconds without decimals if they are an integer.
  static func text(_ seconds: Double) -> String {
    abs(seconds) < 1e6 && seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}
