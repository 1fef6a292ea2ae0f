import Glibc
import HeartRate
import TestSupport

/// A simulated heart for one day: load increases its rate and decreases its variability.
struct Heart {
  private let day: LocalDay
  private var random: SeededGenerator
  /// The load of the day, and the current load.
  private let burden: Double
  private var passing = 0.0
  private var clock = 0.0
  private var breath = 0.0

  init(day: LocalDay, random: SeededGenerator) {
    self.day = day
    self.random = random
    let isWeekend = [1, 2].contains((day.number % 7 + 7) % 7)  // 1970-01-01 was a Thursday
    burden = (isWeekend ? -0.15 : 0.1) + 0.15 * (Double.random(in: -1...1, using: &self.random))
  }

  /// Heart Rate Measurement (0x2A37): flags (RR intervals follow), bpm, RR in 1/1024 s, little-endian.
  mutating func notification(upTo second: Double) -> [UInt8] {
    var payload: [UInt8] = [0x10, 60]
    while clock < second {
      let units = UInt16(min(max(nextSeconds() * 1024, 300), 2000))
      clock += Double(units) / 1024
      payload[1] = UInt8(60 * 1024 / Int(units))
      payload += [UInt8(units & 255), UInt8(units >> 8)]
    }
    return payload
  }

  private mutating func nextSeconds() -> Double {
    let noise = Double.random(in: -1...1, using: &random)
    passing += 0.02 * noise - passing / 600
    let hour = day.hour(after: clock)
    let load = min(max(0.35 + burden + 0.3 * cos((hour - 15) / 24 * 2 * .pi) + passing, 0), 1)
    let mean = 60 / (58 + 38 * load)
    breath += mean * 0.23
    return mean + 0.055 * exp(-1.7 * load) * cos(2 * .pi * breath) + 0.022 * exp(-0.8 * load) * noise
  }
}
