import HRV
import HeartRate
import TestSupport
import Testing

/// The reference metrics of a series, computed in floating point.
private struct Canonical: Decodable {
  var n: Int
  var meanNn, hrFromMeanNn, minNn, maxNn, sdnnDdof1, rmssd, sdsdDdof1: Double
  var pnn50OverNdiff, pnn20OverNdiff, sd1, sd2, lnRmssd: Double

  func expectEqual(_ series: NNSeries) {
    let sums = series.sums
    #expect(n == sums.count && n == series.beats)
    let pairs: [(String, Double, Double?)] = [
      ("mean NN", meanNn, sums.meanNN), ("mean HR", hrFromMeanNn, sums.meanHeartRate),
      ("SDNN", sdnnDdof1, sums.sdnn), ("RMSSD", rmssd, sums.rmssd), ("SDSD", sdsdDdof1, sums.sdsd),
      ("pNN50", pnn50OverNdiff, sums.pNN50), ("pNN20", pnn20OverNdiff, sums.pNN20),
      ("SD1", sd1, sums.sd1), ("SD2", sd2, sums.sd2), ("ln RMSSD", lnRmssd, sums.lnRMSSD),
      ("min HR", 60_000 / maxNn, series.minHeartRate), ("max HR", 60_000 / minNn, series.maxHeartRate),
    ]
    for (name, expected, value) in pairs {
      #expect(expected.isNear(value, within: 1e-9), "\(name)")
    }
  }
}

private struct TimeDomainReference: Decodable {
  struct Segments: Decodable { var neurokit2: Segment }
  struct Segment: Decodable {
    var startIndex, endIndexExclusive: Int
    var canonical: Canonical
  }
  var canonicalWholeRecording: Canonical
  var fiveMinuteSegment: Segments
}

@Test(
  "The time-domain metrics of a recording equal its reference", .enabled(if: SharedData.isAvailable),
  arguments: SharedData.recordings)
func wholeRecording(_ name: String) throws {
  let rr = try SharedData.intervals(of: name)
  let reference = try SharedData.json("\(name).reference.json", as: TimeDomainReference.self)
  reference.canonicalWholeRecording.expectEqual(NNSeries(raw: rr))
  let segment = reference.fiveMinuteSegment.neurokit2
  segment.canonical.expectEqual(NNSeries(raw: Array(rr[segment.startIndex..<segment.endIndexExclusive])))
}

/// Reference values of sliding windows of 60 s and 300 s at selected beats.
private struct Rolling: Decodable {
  struct Checkpoint: Decodable {
    var i, n60, n300: Int
    var sdnn60, rmssd60, mean60, sdnn300, rmssd300, mean300: Double?
  }
  var checkpoints: [Checkpoint]
}

@Test(
  "Sliding windows equal the rolling reference", .enabled(if: SharedData.isAvailable),
  arguments: SharedData.recordings)
func rollingWindows(_ name: String) throws {
  let rr = try SharedData.intervals(of: name)
  var checkpoints = try SharedData.json("\(name).rolling.json", as: Rolling.self).checkpoints[...]
  #expect(checkpoints.count > 100)
  var minute = BeatWindow(length: .seconds(60))
  var fiveMinutes = BeatWindow(length: .seconds(300))
  var stream = BeatStream(classification: .none)
  var arrival = SessionTime.zero
  for (index, interval) in rr.enumerated() {
    arrival = arrival + interval
    stream.append(RRIntervals(interval), arrival: arrival) { event in
      guard case .beat(let beat) = event else {
        Issue.record("a gap without judging")
        return
      }
      minute.append(beat)
      fiveMinutes.append(beat)
    }
    guard let checkpoint = checkpoints.first, checkpoint.i == index else { continue }
    checkpoints.removeFirst()
    #expect(checkpoint.n60 == minute.beats && checkpoint.n300 == fiveMinutes.beats)
    let pairs = [
      (checkpoint.mean60, minute.sums.meanNN), (checkpoint.sdnn60, minute.sums.sdnn),
      (checkpoint.rmssd60, minute.sums.rmssd), (checkpoint.mean300, fiveMinutes.sums.meanNN),
      (checkpoint.sdnn300, fiveMinutes.sums.sdnn), (checkpoint.rmssd300, fiveMinutes.sums.rmssd),
    ]
    for (expected, value) in pairs {
      #expect(expected.map { $0.isNear(value, within: 1e-9) } ?? (value == nil), "at beat \(index)")
    }
  }
  #expect(checkpoints.isEmpty)
}
