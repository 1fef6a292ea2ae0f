/// Creates a history of a year with sessions of 12 h a day: one notification per second, and its measurements, stored
/// every 10 s: about 1.6 million measurements and 15 million events. A second profile has a month of sessions.
///
/// Run with `swift run -c release YearBenchmark FILE [DAYS [SEED]]`: the year ends with today. Equal seeds give equal
/// beats.

import Glibc
import HeartRate
import History
import Stress
import TestSupport

let arguments = CommandLine.arguments
guard (2...4).contains(arguments.count), let days = arguments.count > 2 ? Int(arguments[2]) : 365,
  let seed = arguments.count > 3 ? UInt64(arguments[3]) : 1, days > 0
else {
  print("usage: YearBenchmark FILE [DAYS [SEED]]")
  exit(64)
}
guard access(arguments[1], F_OK) != 0 else {
  print("YearBenchmark: \(arguments[1]) is there already")
  exit(1)
}

do {
  let location = try StoreLocation(path: arguments[1], environment: ["HOME": "/nonexistent"])
  for (name, days, seed) in [("me", days, seed), ("anna", min(days, 30), seed &+ 1)] {
    let person = Person(name: name, seed: seed)
    for day in (0..<days).reversed() { try await person.wear(on: LocalDay.ago(day), storingAt: location) }
    let today = Int(LocalDay.ago(0).number)
    try BaselineUpdater(location).learn(name, today: today, at: LocalDay.now)
  }
  if let contents = try HistoryReader(location)?.contents() {
    print(
      "sessions=\(contents.sessions) events=\(contents.events) measurements=\(contents.measurements)"
        + " bytes=\(contents.bytes)")
  }
} catch {
  print("YearBenchmark: \(error)")
  exit(1)
}
