import TestSupport
import Testing

/// The texts of everyday use: words that a person without knowledge of statistics reads, and sentences that are easy to read.
@Suite(.ownThreads) struct PlainWordsTests {
  @Test("Everyday results contain no statistical terms, and their sentences are easy to read")
  func everydayResults() throws {
    let home = try Home()
    let simulated = ["--simulate", "--speed", "max"]
    for days in 1...9 {
      let time = "\(MorningTests.date(daysAgo: days))T06:00:00Z"
      _ = try home.start(["morning", "--seed", "\(days)", "--at", time] + simulated).outcome()
    }
    _ = try home.run("journal", "add", "--mood", "6", "--trigger", "coffee")
    for command in [
      ["live", "--plain", "--duration", "12m"] + simulated, ["measure"] + simulated, ["morning"] + simulated,
      ["breathe", "--plain", "--cycles", "6"] + simulated, ["calm", "--plain", "--minutes", "1"] + simulated,
      ["trends"], ["trends", "--morning"], ["report"], ["history"], ["show"], ["status"],
      ["status", "--format", "large"],
      ["live", "--speak", "--duration", "3m"] + simulated, ["trends", "--speak"], ["report", "--speak"],
      ["history", "--speak"],
    ] {
      let outcome = try home.start(command).outcome()
      #expect(outcome.status == .exited(0), "\(command): \(outcome.errors)")
      #expect(Self.statisticalTerms(outcome.output) == [], "\(command): \(outcome.output)")
      let sentences = Self.sentences(outcome.output)
      guard sentences.count >= 2 else { continue }
      let ease = Self.readingEase(sentences)
      #expect(ease >= 60, "\(command): \(ease), \(sentences)")
    }
  }

  @Test("The index of easy and difficult texts is that of their author")
  func index() {
    #expect(Self.readingEase([["The", "cat", "sat", "on", "the", "mat"]]) > 110)
    let difficult = ["Statistical", "heterogeneity", "necessitates", "methodological", "considerations"]
    #expect(Self.readingEase([difficult]) < 0)
    #expect(
      ["cat", "measured", "average", "reading", "relaxed", "table"].map(Self.syllables) == [1, 2, 3, 2, 2, 2])
    #expect(Self.statisticalTerms("HRV 48 ms (RMSSD), ln RMSSD 3.9, SD 2") == ["ln", "RMSSD", "SD"])
  }

  /// Terms of statistics in the text; RMSSD is allowed in parentheses, where it names the kind of HRV.
  private static func statisticalTerms(_ text: String) -> [String] {
    let forbidden: Set = ["RMSSD", "SDNN", "pNN50", "CV", "SWC", "CI", "SD", "ln"]
    return text.replacing("(RMSSD)", with: "").split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter(forbidden.contains)
  }

  /// The words of each sentence, which ends with a full stop and has at least four words. Commands, labels, tables and numbers
  /// are not sentences.
  private static func sentences(_ text: String) -> [[String]] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      line.split(separator: ". ").compactMap { part -> [String]? in
        let isComplete = part.endIndex != line.endIndex || line.hasSuffix(".")
        guard isComplete, !part.contains("stressmon ") else { return nil }
        let words = part.split { !$0.isLetter && $0 != "'" }.map(String.init)
        return words.count >= 4 ? words : nil
      }
    }
  }

  /// The reading ease of Flesch (1948), 0 to about 120; 60 is plain English.
  private static func readingEase(_ sentences: [[String]]) -> Double {
    let words = sentences.flatMap(\.self)
    let perSentence = Double(words.count) / Double(sentences.count)
    let perWord = Double(words.map(syllables).reduce(0, +)) / Double(words.count)
    return 206.835 - 1.015 * perSentence - 84.6 * perWord
  }

  /// The groups of vowels of a word, without a silent e or ed at its end.
  private static func syllables(_ word: String) -> Int {
    let letters = Array(word.lowercased())
    let vowels: Set<Character> = ["a", "e", "i", "o", "u", "y"]
    var count = letters.indices.count { place in
      vowels.contains(letters[place]) && (place == 0 || !vowels.contains(letters[place - 1]))
    }
    let ending = String(letters.suffix(2))
    if letters.count > 3, let before = letters.dropLast(2).last {
      let isSilent =
        ending.last == "e" && ending != "le" && !vowels.contains(Character(ending.prefix(1).description))
        || ending == "ed" && before != "t" && before != "d" && !vowels.contains(before)
      if isSilent { count -= 1 }
    }
    return max(1, count)
  }
}
