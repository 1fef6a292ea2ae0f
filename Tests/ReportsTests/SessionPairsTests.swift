import Testing

@testable import Reports

@Suite struct SessionPairsTests {
  @Test(
    "The participant is the part that is not the condition",
    arguments: [
      (["P01_pre.txt", "P02_pre.txt"], ["P02_post.txt", "P01_post.txt"], ["P01", "P02"]),
      (["rest/P01.txt", "rest/P02.txt"], ["task/P01.txt", "task/P02.txt"], ["P01", "P02"]),
      (["P01/rest.hrm", "P02/rest.hrm"], ["P01/task.txt", "P02/task.txt"], ["P01", "P02"]),
      (["P1pre.txt", "P10pre.txt"], ["P1post.txt", "P10post.txt"], ["1", "10"]),
      (["S1_1", "S2_1"], ["S1_2", "S2_2"], ["S1", "S2"]), (["a1", "a2"], ["b1", "b2"], ["1", "2"]),
      (["pre-ann-x.txt", "pre-ben-x.txt"], ["post-ann-x.txt", "post-ben-x.txt"], ["ann", "ben"]),
      (["01K@before", "01M@before"], ["01K@after", "01M@after"], ["01K", "01M"]),
      (["x.txt@0:00-5:00", "y.txt@0:00-5:00"], ["x.txt@5:00-9:00", "y.txt@5:00-9:00"], ["x", "y"]),
    ])
  func participants(a: [String], b: [String], keys: [String]) throws {
    let pairs = try SessionPairs(a, b)
    #expect(pairs.pairs.compactMap(\.key) == keys)
    #expect(pairs.pairs.map(\.a) == a && Set(pairs.pairs.map(\.b)) == Set(b))
    #expect(pairs.unpaired.a.isEmpty && pairs.unpaired.b.isEmpty)
  }

  @Test func missingSessionsAreUnpaired() throws {
    let pairs = try SessionPairs(
      ["P01_pre", "P03_pre", "P04_pre"], ["P01_post", "P02_post", "P04_post", "P05_post"])
    #expect(pairs.pairs.map(\.b) == ["P01_post", "P04_post"])
    #expect(pairs.unpaired.a == ["P03_pre"] && pairs.unpaired.b == ["P02_post", "P05_post"])
  }

  @Test func ambiguousAndUnrelatedNamesAreRefused() {
    #expect(throws: SessionPairs.Failure.ambiguous(key: "P01", ["x/P01_pre", "x/P01_pre"])) {
      try SessionPairs(["x/P01_pre", "x/P01_pre", "x/P02_pre"], ["x/P01_post", "x/P02_post"])
    }
    #expect(throws: SessionPairs.Failure.noPair) {
      try SessionPairs(["P01_pre", "P02_pre"], ["P03_post", "P04_post"])
    }
    #expect(throws: SessionPairs.Failure.noPair) {
      try SessionPairs(["01KAB", "01KCD"], ["01MEF", "01MGH"])
    }
    #expect(throws: SessionPairs.Failure.noPair) { try SessionPairs(["pre"], ["post"]) }
  }
}
