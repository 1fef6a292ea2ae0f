package import HeartRate
import Platform

/// Times in the names of files: `2026-06-01 07-30-00.txt`, `Polar_H10_20260601_073000_RR.txt`.
package enum FileNameTime {
  /// The local time in the name of the file at `path`; nil for a name without a time.
  package static func time(in path: String) -> WallTime? {
    let name = path.split(separator: "/").last ?? ""
    let digits = name.split { !$0.isASCII || !$0.isNumber }.map(String.init)
    for start in digits.indices {
      if let time = time(Array(digits[start...])) { return time }
    }
    return nil
  }

  /// The time of `YYYY MM DD hh mm ss`, or of `YYYYMMDD hhmmss`.
  private static func time(_ numbers: [String]) -> WallTime? {
    if numbers.count >= 6, numbers[0].count == 4, numbers[1..<6].allSatisfy({ $0.count == 2 }) {
      return time(numbers[0..<3].joined(), numbers[3..<6].joined())
    }
    guard numbers.count >= 2, numbers[0].count == 8, numbers[1].count == 6 else { return nil }
    return time(numbers[0], numbers[1])
  }

  private static func time(_ date: String, _ clock: String) -> WallTime? {
    let (date, clock) = (Array(date), Array(clock))
    let day = "\(String(date[0..<4]))-\(String(date[4..<6]))-\(String(date[6..<8]))"
    let hour = "\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))"
    return LocalTime.parse("\(day)T\(hour)")
  }
}
