import HeartRate
import TestSupport

/// The beats of a day, about one per second; successive beats differ.
struct StrapTruth {
  /// RR intervals in 1/1024 s, sent repeatedly.
  private let units: [UInt16]
  let count: Int

  init(seconds: Double) {
    var random = SeededGenerator(seed: 24)
    units = (0..<3600).map { 1024 + UInt16($0 % 2) * 20 + .random(in: 0..<20, using: &random) - 20 }
    let whole = units.reduce(0) { $0 + Double($1) } / 1024
    // One more, so that the last hour is complete.
    count = Int(seconds / whole * Double(units.count)) + 1
  }

  subscript(number: Int) -> RRInterval { RRInterval(gattUnits: units[number % units.count]) }

  /// RR intervals in ms, one per line, the input format of the fake.
  var file: String { units.map { "\(Double($0) * 125 / 128)\n" }.joined() }
}
