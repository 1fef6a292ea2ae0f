package import Time

// Exact decimals in ASCII.
extension [UInt8] {
  /// Appends a time in seconds with up to ten decimals.
  package mutating func append(seconds time: SessionTime) {
    appendDecimal(time.ticks, perUnit: SessionTime.ticksPerSecond, places: 10)
  }

  /// Appends a duration in ticks of 1/80,000 ms as ms with up to seven decimals.
  package mutating func append(milliseconds ticks: Int64) {
    appendDecimal(ticks, perUnit: SessionTime.ticksPerMillisecond, places: 7)
  }

  package mutating func appendDigits(of value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var rest = value.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Appends `ticks / perUnit` without trailing zeros. One tick must be 125 units of the last of `places` decimals.
  private mutating func appendDecimal(_ ticks: Int64, perUnit: Int64, places: Int) {
    let (whole, part) = ticks.magnitude.quotientAndRemainder(dividingBy: UInt64(perUnit))
    if ticks < 0 { append(UInt8(ascii: "-")) }
    appendDigits(of: Int64(whole))
    guard part > 0 else { return }
    append(UInt8(ascii: "."))
    var rest = part * 125
    let start = count
    for _ in 0..<places {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[start...].reverse()
    while last == UInt8(ascii: "0") { removeLast() }
  }
}
