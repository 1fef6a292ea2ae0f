import HRV
import HeartRate
import TestSupport

/// A recording with the labels of experts and of the reference program.
struct LabelledRecording {
  var name: String
  var intervals: [RRInterval]
  /// Indices of beats that experts labelled as not normal; nil for recordings without labels.
  var labelled: [Int]?
  /// Nil for recordings without reference.
  var peer: PeerFlags?

  /// Indices of intervals that NeuroKit2 0.2.13 flags in a single pass, by kind.
  struct PeerFlags: Decodable {
    var ectopic: [Int]
    var missed: [Int]
    var extra: [Int]
    var longshort: [Int]

    var all: Set<Int> { Set(ectopic + missed + extra + longshort) }
  }

  init(_ name: String, in directory: SharedData.Directory = .rr) throws {
    self.name = name
    intervals = try SharedData.intervals(of: name, in: directory)
    labelled = SharedData.labels(of: name, in: directory).map { labels in
      labels.indices.filter { labels[$0] != "N" }
    }
    peer = directory == .rr ? try SharedData.json("\(name).lt2019.json", as: PeerFlags.self) : nil
  }

  /// Whether the interval deviates by at least 8 % from the median of the 11 around it.
  func isFarOff(_ place: Int) -> Bool {
    let around = intervals[max(0, place - 5)...min(intervals.count - 1, place + 5)].map(\.milliseconds)
      .sorted()
    let median = around[around.count / 2]
    return abs(intervals[place].milliseconds - median) >= 0.08 * median
  }
}

/// Compares flags with labels. A flag within one beat of a label is a true positive.
struct Tally {
  var found = 0
  var labelled = 0
  var farOffFound = 0
  var farOff = 0
  var falseFlags = 0
  var intervals: Int

  init?(_ flags: Set<Int>, on recording: LabelledRecording) {
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

  var falsePerThousand: Double { 1000 * Double(falseFlags) / Double(intervals) }
}
