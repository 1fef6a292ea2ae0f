import TestSupport
import Testing

/// The check of every run for values without a text form.
@Suite(.ownThreads) struct ReflectionTests {
  @Test(arguments: [
    "against Phrase(key: \"{1} {2} ms\", values: [])", "stress Optional(42.0)",
    "[Stress.Category.some(mild)]",
    "x=Confidence(factors: 3)",
  ])
  func aRunThatPrintsAReflectedValueFails(line: String) throws {
    #expect(throws: Program.Failure.self) { try Home().shell("cat >&2 <<'END'\n\(line)\nEND") }
    #expect(throws: Program.Failure.self) { try Home().shell("cat <<'END'\n\(line)\nEND") }
  }

  @Test(arguments: [
    "Stress 3 (1-6)", "Optional (see below)", "f(x: 1)", "a (key: b)", "RMSSD(ms), SD (n: 3)",
  ])
  func textsForPeoplePass(line: String) throws {
    #expect(try Home().shell("cat <<'END'\n\(line)\nEND").output == line + "\n")
  }
}
