// Prints the figures of docs/design/normal.md.
//
//     swift run MorningFigures
import BaselineTestSupport

func percent(_ fraction: Double) -> Double { (fraction * 1000).rounded() / 10 }

func print(_ name: String, _ seeds: ClosedRange<UInt64>, correlation: Double = 0) {
  let figures = MorningFigures(seeds: seeds, correlation: correlation)
  print(
    "\(name): \(percent(figures.coverage)) % of undisturbed mornings within the normal range,",
    "\((figures.falseAlarms * 100).rounded() / 100) false alarms in 60 days,",
    "\(percent(figures.detection)) % of drops detected by the third day")
}

print("50 seeds", 1...50)
print("1000 seeds", 1...1000)
for correlation in [0.3, 0.5] {
  print("1000 seeds, correlation \(correlation)", 1...1000, correlation: correlation)
}
for days in [5, 6, 8, 10, 35] {
  let figures = RestingFigures(people: 1000, days: days)
  print("\(days) days with rest: \(percent(figures.coverage)) % of later minutes within the normal range")
}
