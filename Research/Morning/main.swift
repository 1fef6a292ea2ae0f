// Prints the figures of docs/design/morning.md.
//
//     swift run MorningFigures
import BaselineTestSupport

func print(_ name: String, _ seeds: ClosedRange<UInt64>, correlation: Double = 0) {
  let figures = MorningFigures(seeds: seeds, correlation: correlation)
  let percent = { (fraction: Double) in (fraction * 1000).rounded() / 10 }
  print(
    "\(name): \(percent(figures.coverage)) % of undisturbed mornings within the normal range,",
    "\((figures.falseAlarms * 100).rounded() / 100) false alarms in 60 days,",
    "\(percent(figures.detection)) % of drops detected by the third day")
}

print("50 seeds", 1...50)
print("1000 seeds", 1...1000)
for correlation in [0.3, 0.5] { print("1000 seeds, correlation \(correlation)", 1...1000, correlation: correlation) }
