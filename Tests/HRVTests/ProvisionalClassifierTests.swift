import HRV
import HeartRate
import Testing

/// Returns the verdicts as one letter each.
private func judge(_ milliseconds: [Double]) -> String {
  var judge = ProvisionalClassifier()
  let letters: [Verdict: String] = [
    .normal: "N", .ectopic: "E", .missed: "M", .extra: "X", .long: "L", .short: "S", .gap: "G",
  ]
  return milliseconds.compactMap { RRInterval(milliseconds: $0) }.compactMap { letters[judge.classify($0)] }
    .joined()
}

@Test(
  "Each series of intervals gets its provisional verdicts",
  arguments: [
    ("clean", [800, 810, 790, 850, 780], "NNNNN"),
    ("premature beat with compensatory pause", [800, 800, 500, 1100, 800], "NNEEN"),
    ("pause within the limits", [800, 600, 1000, 800], "NEEN"),
    ("premature beat within the limits", [800, 700, 900, 800], "NNEN"),
    ("respiratory variation", [800, 736, 897, 800], "NNNN"),
    ("return to the previous rate", [800, 680, 848, 800], "NNNN"),
    ("premature beat, then a missed beat", [800, 700, 1600, 800], "NNMN"),
    ("two similar premature beats, which their pause reveals", [800, 500, 510, 1100, 800, 800], "NENMNN"),
    ("two similar intervals count as a new level", [800, 500, 510, 515, 800, 800], "NENNMN"),
    ("missed beat", [800, 1600, 800], "NMN"),
    ("two missed beats", [800, 2400, 800], "NMN"),
    ("long interval that is not a multiple", [800, 1100, 800], "NLN"),
    ("long interval without a predecessor", [2400, 800], "LN"),
    ("false detection", [800, 380, 420, 800], "NXXN"),
    ("false detection in the middle", [800, 400, 400, 800, 400, 400, 800], "NXXNXXN"),
    ("extra interval before a complete interval", [800, 400, 800], "NXN"),
    ("spurious interval of 52 ms", [1044, 52, 1040], "NSN"),
    ("deceleration that began before", [800, 810, 850, 1200, 1150, 950], "NNNNNN"),
    ("steepest deceleration", [800, 800, 1200, 1000], "NNNN"),
    ("slightly beyond the limit", [800, 800, 1200.0001, 1000], "NNLN"),
    ("long interval after a shorter one", [800, 799, 1100, 800], "NNLN"),
    ("slower from one beat to the next", [600, 900, 900, 910], "NLNN"),
    ("faster from one beat to the next", [800, 600, 600, 590], "NENN"),
    ("doubled rate, accepted at the third interval", [800, 400, 400, 400, 410], "NXXNN"),
    ("longer than 3 s", [800, 3001, 800], "NGN"),
    ("at 3 s", [800, 3000, 800], "NMN"),
    ("no comparison across a gap", [800, 3001, 450, 450], "NGNN"),
    ("32.5 % longer", [800, 1060], "NN"),
    ("slightly beyond the limit", [800, 1060.0001], "NL"),
    ("24.5 % shorter", [800, 604], "NN"),
    ("slightly beyond the limit", [800, 603.9999], "NE"),
    ("half", [800, 400], "NX"),
    ("slightly more than half", [800, 400.0001], "NE"),
    ("the shortest and the longest beats", [300, 299.9999], "NS"),
    ("at 2 s", [2000, 2000.0001], "NL"),
    ("zero and 24 h", [0, 86_399_999, 0, 800], "SGSN"),
  ] as [(String, [Double], String)])
func provisionalVerdicts(_ what: String, _ milliseconds: [Double], _ verdicts: String) {
  #expect(judge(milliseconds) == verdicts, "\(what)")
}

@Test("A reset discards the previous intervals") func resetClassifier() throws {
  var judge = ProvisionalClassifier()
  _ = judge.classify(RRInterval(gattUnits: 800))
  judge.reset()
  #expect(judge.classify(RRInterval(gattUnits: 400)) == .normal)
}

@Test(
  "A pause reveals a premature beat that was classified as normal",
  arguments: [
    ("pause", [800, 700, 900], true), ("long", [800, 620, 1180], true), ("missed", [800, 700, 1600], true),
    ("premature beat that was not normal", [800, 500, 1100], false),
    ("shortened by 8 %", [800, 736, 1600], false), ("slightly more", [800, 735.9, 1600], true),
    ("not longer than usual", [1100, 850, 1060], false),
    ("no predecessor", [700, 1000], false), ("gap", [800, 700, 3001], false),
    ("after a gap", [800, 3001, 700, 1000], false),
    ("second half of an interval", [1000, 300, 700, 1400], false),
  ] as [(String, [Double], Bool)])
func revealedPrematureBeats(_ what: String, _ milliseconds: [Double], _ isRevealed: Bool) {
  var classifier = ProvisionalClassifier()
  for rr in milliseconds.compactMap({ RRInterval(milliseconds: $0) }) { classifier.classify(rr) }
  #expect(classifier.followsPrematureBeat == isRevealed, "\(what)")
  classifier.classify(RRInterval(gattUnits: 820))
  #expect(!classifier.followsPrematureBeat)
}

@Test("A revealed premature beat is no reference for the intervals after its pause")
func restoredReference() {
  // 1040 ms is 30 % above 800 ms and 73 % above 600 ms.
  #expect(judge([800, 620, 1180, 1040]) == "NNMN")
}
