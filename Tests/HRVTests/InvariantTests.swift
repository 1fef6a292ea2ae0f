import HeartRate
import TestSupport
import Testing

@testable import HRV

/// Invariants of the metrics for arbitrary beats.
struct InvariantTests {
  private func sums(_ beats: [Beat]) -> NNSums {
    var series = NNSeries()
    for beat in beats { series.append(beat) }
    return series.sums
  }

  private func noise(_ random: inout SeededGenerator) -> [Beat] {
    SyntheticBeats.noise(seconds: .random(in: 20...400, using: &random), &random)
  }

  @Test("SDNN, mean NN and the range do not depend on the order", arguments: 0..<20)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lengths = noise(&random).map(\.rr)
    let (plain, shuffled) = (
      NNSeries(raw: lengths), NNSeries(raw: lengths.shuffled(using: &random))
    )
    #expect(plain.sums.sdnn == shuffled.sums.sdnn && plain.sums.meanNN == shuffled.sums.meanNN)
    #expect(plain.range == shuffled.range)
    #expect(plain.sums.rmssd != shuffled.sums.rmssd)
  }

  @Test("SD1 is SDSD / sqrt 2, and SD1^2 + SD2^2 is 2 SDNN^2", arguments: 0..<20)
  func poincare(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sums = sums(noise(&random))
    let (sd1, sd2) = (try #require(sums.sd1), try #require(sums.sd2))
    let (sdsd, sdnn) = (try #require(sums.sdsd), try #require(sums.sdnn))
    #expect(sd1.isNear(sdsd / 2.0.squareRoot(), within: 1e-15))
    #expect((sd1 * sd1 + sd2 * sd2).isNear(2 * sdnn * sdnn, within: 1e-12))
  }

  @Test(
    "Doubling the intervals doubles the metrics in ms; power grows with the square", arguments: 0..<8)
  func scaling(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let beats = SyntheticBeats.noise(seconds: 320, &random)
    let scaled = SyntheticBeats.changing(beats) { 2 * $0 }
    let (plain, twice) = (sums(beats), sums(scaled))
    for metric in [\NNSums.meanNN, \.sdnn, \.rmssd, \.sdsd, \.sd1, \.sd2] {
      #expect((2 * (try #require(plain[keyPath: metric]))).isNear(twice[keyPath: metric], within: 1e-12))
    }
    #expect(try #require(plain.meanHeartRate).isNear(twice.meanHeartRate.map { 2 * $0 }, within: 1e-12))
    #expect((try #require(plain.lnRMSSD) + 0.6931471805599453).isNear(twice.lnRMSSD, within: 1e-12))
    // End times are unchanged, and the mean Nyquist frequency stays above HF. The start of the first interval
    // changes, and with it the position of the windows, by less than a beat.
    let (bands, more) = (
      SpectralBands(lombScargle: NNSegments(beats)),
      SpectralBands(lombScargle: NNSegments(SyntheticBeats.changing(beats) { 9 * $0 / 8 }))
    )
    for metric in [\SpectralBands.hf, \.lf, \.vlf, \.total] {
      let power = try #require(bands[keyPath: metric].value)
      #expect((power * 81 / 64).isNear(more[keyPath: metric].value, within: 2e-3))
    }
    #expect(try #require(bands.lfHF.value).isNear(more.lfHF.value, within: 2e-3))
  }

  @Test("The order of the segments between gaps does not change the sums", arguments: 0..<12)
  func segments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pieces = (0..<6).map { _ in noise(&random) }
    for place in pieces.indices {
      pieces[place][Int.random(in: pieces[place].indices, using: &random)].verdict = .ectopic
    }
    let plain = sums(SyntheticBeats.joined(pieces))
    pieces.shuffle(using: &random)
    #expect(sums(SyntheticBeats.joined(pieces)) == plain)
  }

  @Test("Streaming equals batch computation for every window", arguments: 0..<6)
  func streaming(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var beats = SyntheticBeats.joined((0..<3).map { _ in noise(&random) })
    for place in beats.indices where Int.random(in: 0..<20, using: &random) == 0 {
      beats[place].verdict = Verdict.allCases.randomElement(using: &random) ?? .normal
    }
    for seconds in [30, 60, 300] {
      var window = BeatWindow(length: .seconds(seconds))
      for (place, beat) in beats.enumerated() {
        window.append(beat)
        let start = SessionTime(ticks: beat.end.ticks - Duration.seconds(seconds).ticks)
        let slice = beats.ended(after: start, through: beat.end)
        #expect(slice.endIndex == place + 1)
        let streamed = window.sums
        #expect(sums(Array(slice).withoutPrematureBeats) == streamed && slice.count == window.beats)
      }
    }
    var streamed = NNSegments()
    for beat in beats { streamed.append(beat) }
    #expect(streamed == NNSegments(beats))
  }

  @Test(
    "Adjacent or overlapping windows contain every beat the expected number of times", arguments: [1, 2, 3])
  func windows(overlap: Int) {
    var random = SeededGenerator(seed: 5)
    let beats = SyntheticBeats.noise(seconds: 600, &random)
    let (end, length) = (SessionTime(ticks: 600 * RRInterval.ticksPerSecond), 60)
    let times = Array(
      WindowTimes(from: .zero, to: end, length: .seconds(length), step: .seconds(length / overlap)))
    #expect(times.count == (600 - length) / (length / overlap) + 1)
    var counts = [Int](repeating: 0, count: beats.count)
    for (start, end) in times {
      let slice = beats.ended(after: start, through: end)
      #expect(slice.allSatisfy { $0.end > start && $0.end <= end })
      for index in slice.indices { counts[index] += 1 }
    }
    let middle = beats.indices.filter { (60..<540).contains(beats[$0].end.seconds) }
    #expect(middle.allSatisfy { counts[$0] == overlap })
    #expect(Array(WindowTimes(from: .zero, to: .zero, length: .seconds(1), step: .seconds(1))).isEmpty)
  }
}
