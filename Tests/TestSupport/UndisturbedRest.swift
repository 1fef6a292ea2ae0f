package import HRV
package import HeartRate

/// A period of undisturbed rest in a real recording, in which no change may be detected.
package struct UndisturbedRest: Sendable {
  /// The beats of the complete recording with final verdicts.
  package let beats: [Beat]
  /// Seconds since the start of the recording.
  package let times: Range<Int>

  /// The first fifteen minutes of rest_supine, and the stable periods of nsr001_24h.
  package static func all() throws -> [UndisturbedRest] {
    let (supine, day) = (try judged("rest_supine"), try judged("nsr001_24h"))
    return [UndisturbedRest(beats: supine, times: 0..<900)]
      + calm(day).map { UndisturbedRest(beats: day, times: $0) }
  }

  /// Returns adjacent windows; nil for windows with more than 5 % artefacts.
  package func windows(seconds: Int) -> [NNSums?] { Self.windows(beats, times, seconds: seconds) }

  /// Returns all pairs of these windows, the earlier one first.
  package func pairs(seconds: Int) -> [(NNSums, NNSums)] {
    Self.pairs(windows(seconds: seconds).compactMap(\.self))
  }

  /// Returns all pairs of adjacent windows with at most 5 % artefacts as sides of a comparison.
  package func sides(seconds: Int) -> [(RMSSDChange.Side, RMSSDChange.Side)] {
    Self.pairs(
      Self.usableBeats(beats, times, seconds: seconds).compactMap { beats in
        beats.map { RMSSDChange.Side(beats: $0, trust: 1) }
      })
  }

  private static func pairs<Window>(_ windows: [Window]) -> [(Window, Window)] {
    windows.indices.flatMap { later in windows[..<later].map { ($0, windows[later]) } }
  }

  /// The beats that end in `times` as events, each at its end time.
  package var events: [SessionEvent] {
    beats.ended(after: Self.at(times.lowerBound), through: Self.at(times.upperBound)).map {
      SessionEvent(at: $0.end, .interval($0.rr))
    }
  }

  /// A complete recording of rest.
  package static func whole(_ name: String, in directory: SharedData.Directory) throws -> UndisturbedRest {
    let beats = try judged(name, in: directory)
    // The last minute of an exercise of whole minutes ends with its last complete beat.
    let end = Int((beats.last?.end.seconds ?? 0) + 2) / 60 * 60
    return UndisturbedRest(beats: beats, times: 0..<end)
  }

  /// The stable periods of ten minutes of a recording; in recordings of more than two hours those with a low heart rate.
  package static func periods(
    of name: String, in directory: SharedData.Directory
  ) throws -> [UndisturbedRest] {
    let beats = try judged(name, in: directory)
    let isLong = beats.last?.end.seconds ?? 0 > 7200
    return calm(beats, slowest: isLong ? 0.4 : 1).map { UndisturbedRest(beats: beats, times: $0) }
  }

  /// Returns adjacent windows as sides of a comparison; nil for windows with more than 5 % artefacts.
  package func usableSides(seconds: Int) -> [RMSSDChange.Side?] {
    Self.usableBeats(beats, times, seconds: seconds).map { beats in
      beats.map { RMSSDChange.Side(beats: $0, trust: 1) }
    }
  }

  private static func judged(
    _ name: String, in directory: SharedData.Directory = .rr
  ) throws -> [Beat] {
    var stream = BeatStream(classification: .none)
    var beats: [Beat] = []
    var end = SessionTime.zero
    for rr in try SharedData.intervals(of: name, in: directory) {
      end = end + rr
      stream.append(RRIntervals(rr), arrival: end) { if case .beat(let beat) = $0 { beats.append(beat) } }
    }
    return ArtefactClassifier.classify(beats)
  }

  private static func at(_ second: Int) -> SessionTime {
    SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond)
  }

  private static func windows(_ beats: [Beat], _ times: Range<Int>, seconds: Int) -> [NNSums?] {
    usableBeats(beats, times, seconds: seconds).map { beats in
      beats.map { NNSeries($0).sums }
    }
  }

  /// Returns the beats of adjacent windows; nil for windows with more than 5 % artefacts.
  private static func usableBeats(_ beats: [Beat], _ times: Range<Int>, seconds: Int) -> [ArraySlice<Beat>?] {
    let length = Duration.seconds(seconds)
    let times = WindowTimes(
      from: at(times.lowerBound), to: at(times.upperBound), length: length, step: length)
    return times.map { start, end in
      let window = beats.ended(after: start, through: end)
      return NNSeries(window).artefactFraction.map { $0 <= 0.05 } == true ? window : nil
    }
  }

  /// Finds periods of ten minutes with a heart rate in the lower two fifths of the recording and all minutes
  /// within 5 % of the median; in seconds.
  /// - Parameter slowest: another fraction of the minutes of the recording instead of two fifths.
  private static func calm(_ beats: [Beat], slowest: Double = 0.4) -> [Range<Int>] {
    let end = Int(beats.last?.end.seconds ?? 0)
    let rates = windows(beats, 0..<end, seconds: 60).map { $0?.meanHeartRate }
    let all = rates.compactMap(\.self).sorted()
    guard !all.isEmpty else { return [] }
    let limit = slowest < 1 ? all[Int(Double(all.count) * slowest)].nextDown : .infinity
    var found: [Range<Int>] = []
    var start = 0
    while start + 10 <= rates.count {
      let block = rates[start..<start + 10].compactMap(\.self).sorted()
      if block.count >= 9, block[5] <= limit,
        block.allSatisfy({ abs($0 / block[5] - 1) < 0.05 })
      {
        found.append(start * 60..<(start + 10) * 60)
        start += 10
      } else {
        start += 1
      }
    }
    return found
  }
}
