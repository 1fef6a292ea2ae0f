// Prints the figures of docs/design/comparison.md about pairs of windows of real rests.
//
//     STRESSMON_TEST_DATA=FOLDER swift run -c release ChangeFigures
import TestSupport

func fixed(_ value: Double) -> String {
  let tenths = Int((10 * value).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

func percent(_ fraction: Double) -> String { "\(fixed(100 * fraction)) %" }

func row(_ cells: [String]) { print("| \(cells.joined(separator: " | ")) |") }

let people = try RestingPerson.all()
let factors = [0.5, 0.7, 1.5, 2]
row(["windows", "people", "pairs", "changed", "people equal", "person left out", "highest lower bound"])
row(Array(repeating: "---", count: 7))
for kind in WindowPairs.Kind.all {
  let pairs = WindowPairs(kind, of: people)
  let worst = pairs.highestLowerBound
  row([
    kind.name, "\(pairs.people.count)", "\(pairs.count)", percent(pairs.rate), percent(pairs.equalRate),
    percent(pairs.leftOutRate), "\(percent(worst.bound)) (\(worst.name))",
  ])
}
print()
row(["windows"] + factors.flatMap { ["x\($0)", "with a constant SD"] } + ["undisturbed, constant SD"])
row(Array(repeating: "---", count: 2 + 2 * factors.count))
for kind in WindowPairs.Kind.all {
  let pairs = WindowPairs(kind, of: people)
  let power = factors.flatMap { factor in
    [percent(pairs.rate(times: factor)), percent(pairs.rate(times: factor, scale: kind.constantScale))]
  }
  row([kind.name] + power + [percent(pairs.rate(times: 1, scale: kind.constantScale))])
}
