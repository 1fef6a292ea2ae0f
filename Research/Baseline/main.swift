// Prints the figures of docs/design/baseline.md.
//
//     STRESSMON_TEST_DATA=FOLDER swift run -c release BaselineFigures
import BaselineTestSupport
import RealModule
import Stress
import TestSupport

func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = Double.pow(10, Double(decimals))
  let digits = String(Int((abs(value) * scale).rounded()))
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let text = decimals > 0 ? "\(padded.dropLast(decimals)).\(padded.suffix(decimals))" : padded
  return (value < 0 ? "-" : "") + text
}

func percent(_ fraction: Double) -> String { "\(fixed(100 * fraction, 0)) %" }

func row(_ cells: String...) { print("| \(cells.joined(separator: " | ")) |") }

func heading(_ cells: String...) {
  print("\n| \(cells.joined(separator: " | ")) |\n|\(String(repeating: "---|", count: cells.count))")
}

if SharedData.isAvailable {
  let people = try RecordedRest.people()
  heading("quantity", "people", "mean", "SD", "mean squared distance", "Sm", "T at SD of days")
  for quantity in BlendedQuantity.allCases {
    let spread = MeasuredSpread(quantity, people)
    let daily = quantity == .heartRate ? [3, 4.5, 6] : [0.2, 0.25, 0.3]
    let between = daily.map { "\(fixed($0, 2)): \(fixed(spread.betweenPeople(daily: $0), 3))" }
    row(
      quantity.rawValue, "\(spread.people)", fixed(spread.mean, 2), fixed(spread.deviation, 2),
      fixed(spread.squaredDistance, 3), fixed(spread.minutes, 4), between.joined(separator: ", "))
  }
}

heading("SD between days", "Sd / T for T = 0.25", "w after 1, 2, 3, 7, 30 days of 3 minutes")
for daily in [0.2, 0.25, 0.3] {
  let variances = BlendVariances(people: 0.25, days: daily * daily, minutes: BlendVariances.rmssd.minutes)
  let weights = [1, 2, 3, 7, 30].map { fixed(variances.weight(days: $0, minutes: 3 * $0), 2) }
  row(fixed(daily, 2), fixed(daily * daily / 0.25, 2), weights.joined(separator: ", "))
}

heading("SD between days", "days", "relaxed", "usual values", "ratio", "n / 30", "with a range", "covered")
for daily in [0.2, 0.25, 0.3] {
  for days in [0, 1, 2, 3, 7, 14, 30] {
    var spread = PopulationSpread()
    spread.dailyLnRMSSD = daily
    let found = try RelaxedFractions(people: 500, days: days, spread)
    row(
      fixed(daily, 2), "\(days)", percent(found.learned), percent(found.usual),
      percent(found.learned / found.usual), percent(found.linear), percent(found.ranged),
      found.ranged > 0 ? percent(found.covered) : "-")
  }
}

if SharedData.isAvailable {
  heading(
    "session", "resting minutes", "of a night", "days", "own RMSSD", "baseline", "own HR", "baseline HR")
  for day in try WearerDay.all() {
    let (evidence, baseline) = (day.evidence, day.evidence?.blended ?? .populationDefault)
    row(
      day.session, "\(day.restingMinutes)", "\(day.nightMinutes)", "\(evidence?.days ?? 0)",
      evidence.map { fixed($0.rmssd.value, 1) } ?? "-", fixed(baseline.rmssd, 1),
      evidence.map { fixed($0.restingHeartRate, 1) } ?? "-", fixed(baseline.restingHeartRate, 1))
  }
  heading("task", "people with resting minutes", "resting minutes")
  for task in ["sitting", "maths", "hand_bike", "walking", "jogging"] {
    let rests = try SharedData.recordingNames(in: .tasks).filter { $0.hasSuffix("_\(task)_cs") }
      .map { try RecordedRest($0, in: .tasks).windows.count }
    row(task, "\(rests.count { $0 > 0 }) of \(rests.count)", "\(rests.reduce(0, +))")
  }
}
