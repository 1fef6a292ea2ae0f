package import HRV
package import HeartRate

/// A recording with the labels of experts and of the reference program.
package struct LabelledRecording: Sendable {
  package let name: String
  package let intervals: [RRInterval]
  /// Indices of beats that experts labelled as not normal; nil for recordings without labels.
  package let labelled: [Int]?
  /// Nil for recordings without reference.
  package let peer: PeerFlags?

  /// Indices of intervals that NeuroKit2 0.2.13 flags in a single pass, by kind.
  package struct PeerFlags: Decodable, Sendable {
    package var ectopic: [Int]
    package var missed: [Int]
    package var extra: [Int]
    package var longshort: [Int]

    package var all: Set<Int> { Set(ectopic + missed + extra + longshort) }
  }

  package init(_ name: String, in directory: SharedData.Directory = .rr) throws {
    self.name = name
    intervals = try SharedData.intervals(of: name, in: directory)
    labelled = SharedData.labels(of: name, in: directory).map { labels in
      labels.indices.filter { labels[$0] != "N" }
    }
    peer = directory == .rr ? try SharedData.json("\(name).lt2019.json", as: PeerFlags.self) : nil
  }

  /// The intervals as beats without verdicts.
  package var beats: [Beat] {
    var end = SessionTime.zero
    return intervals.enumerated().map { place, rr in
      end = end + rr
      return Beat(end: end, rr: rr, verdict: .normal, followsBreak: place == 0)
    }
  }

  /// The beats as a live session classifies them.
  package var liveBeats: [Beat] {
    var classifier = ProvisionalClassifier()
    return beats.map { beat in
      var beat = beat
      beat.verdict = classifier.classify(beat.rr)
      beat.followsPrematureBeat = classifier.followsPrematureBeat
      return beat
    }
  }

  /// Whether the interval deviates by at least 8 % from the median of the 11 around it.
  fileprivate func isFarOff(_ place: Int) -> Bool {
    let around = intervals[max(0, place - 5)...min(intervals.count - 1, place + 5)].map(\.milliseconds)
      .sorted()
    let median = around[around.count / 2]
    return abs(intervals[place].milliseconds - median) >= 0.08 * median
  }
}

extension Sequence<Beat> {
  /// Indices of the beats that metrics exclude.
  package var excluded: Set<Int> {
    var excluded: Set<Int> = []
    for (place, beat) in enumerated() {
      if !beat.verdict.isNormal { excluded.insert(place) }
      if beat.followsPrematureBeat { excluded.insert(place - 1) }
    }
    return excluded
  }
}

/// Compares flags with labels. A flag within one beat of a label is a true positive.
package struct LabelTally: Sendable {
  package private(set) var found = 0
  package private(set) var labelled = 0
  package private(set) var farOffFound = 0
  package private(set) var farOff = 0
  package private(set) var falseFlags = 0
  package private(set) var intervals: Int

  /// Nil for recordings without labels.
  package init?(_ flags: Set<Int>, on recording: LabelledRecording) {
    guard let labelled = recording.labelled else { return nil }
    intervals = recording.intervals.count
    for place in labelled {
      let isFound = (place - 1...place + 1).contains { flags.contains($0) }
      self.labelled += 1
      found += isFound ? 1 : 0
      guard recording.isFarOff(place) else { continue }
      farOff += 1
      farOffFound += isFound ? 1 : 0
    }
    let near = Set(labelled.flatMap { [$0 - 1, $0, $0 + 1] })
    falseFlags = flags.subtracting(near).count
  }

  package var falsePerThousand: Double { 1000 * Double(falseFlags) / Double(intervals) }

  package static func += (sum: inout LabelTally, other: LabelTally) {
    sum.found += other.found
    sum.labelled += other.labelled
    sum.farOffFound += other.farOffFound
    sum.farOff += other.farOff
    sum.falseFlags += other.falseFlags
    sum.intervals += other.intervals
  }
}
