import HRV
import HeartRate
import Testing

/// Returns the verdicts as one letter each.
private func judge(_ milliseconds: [Double]) -> String {
  var judge = BeatJudge()
  let letters: [Verdict: String] = [
    .normal: "N", .ectopic: "E", .missed: "M", .extra: "X", .long: "L", .short: "S", .gap: "G",
  ]
  return milliseconds.compactMap { RRInterval(milliseconds: $0) }.compactMap { letters[judge.judge($0)] }
    .joined()
}

@Test(
  "Each series of intervals gets its provisional verdicts",
  arguments: [
    ("clean", [800, 810, 790, 850, 780], "NNNNN"),
    ("premature, then the pause", [800, 800, 500, 1100, 800], "NNEEN"),
    ("premature, a pause within limits", [800, 600, 1000, 800], "NEEN"),
    ("premature within limits, and its pause", [800, 700, 900, 800], "NNEN"),
    ("a swing that is no pause", [800, 736, 897, 800], "NNNN"),
    ("faster and slower again, but no more than before", [800, 680, 848, 800], "NNNN"),
    ("premature, then a beat not detected", [800, 700, 1600, 800], "NNMN"),
    ("two premature ones, alike, pass for a new level", [800, 500, 510, 1100, 800, 800], "NENMMN"),
    ("a beat not detected", [800, 1600, 800], "NMN"),
    ("two beats not detected", [800, 2400, 800], "NMN"),
    ("long, but no multiple", [800, 1100, 800], "NLN"),
    ("long without anything to compare", [2400, 800], "LN"),
    ("something detected between two beats", [800, 380, 420, 800], "NXXN"),
    ("in the very middle", [800, 400, 400, 800, 400, 400, 800], "NXXNXXN"),
    ("extra, but the rest is a whole interval", [800, 400, 800], "NXN"),
    ("a strap's 52 ms between good ones", [1044, 52, 1040], "NSN"),
    ("slower from one beat to the next", [600, 900, 900, 910], "NLNN"),
    ("faster from one beat to the next", [800, 600, 600, 590], "NENN"),
    ("twice as fast: accepted at the third", [800, 400, 400, 400, 410], "NXXNN"),
    ("longer than 3 s", [800, 3001, 800], "NGN"),
    ("at 3 s", [800, 3000, 800], "NMN"),
    ("a gap leaves nothing to compare with", [800, 3001, 450, 450], "NGNN"),
    ("32.5 % longer", [800, 1060], "NN"),
    ("a little more than that", [800, 1060.0001], "NL"),
    ("24.5 % shorter", [800, 604], "NN"),
    ("a little more than that", [800, 603.9999], "NE"),
    ("half", [800, 400], "NX"),
    ("a little more than half", [800, 400.0001], "NE"),
    ("the shortest and the longest beats", [300, 299.9999], "NS"),
    ("at 2 s", [2000, 2000.0001], "NL"),
    ("nothing, and a day", [0, 86_399_999, 0, 800], "SGSN"),
  ] as [(String, [Double], String)])
func provisionalVerdicts(_ what: String, _ milliseconds: [Double], _ verdicts: String) {
  #expect(judge(milliseconds) == verdicts, "\(what)")
}

@Test("A reset discards the previous intervals") func resetClassifier() throws {
  var judge = BeatJudge()
  _ = judge.judge(RRInterval(gattUnits: 800))
  judge.forget()
  #expect(judge.judge(RRInterval(gattUnits: 400)) == .normal)
}
