import HeartRate

/// Writes the data records of an EDF+ file while the events are read.
///
/// A record is complete when a sample of a later second has arrived. Samples arrive in the order of time within a track, but
/// the tracks are not synchronous: the records between the slowest and the fastest track wait in memory, at most
/// ``longestWait`` of them.
struct EDFBody {
  private static let noSample = Int16.min
  /// Limit of the waiting seconds. Samples that arrive later are omitted.
  private static let longestWait = 60

  private let session: ResearchSession
  private let layout: EDFLayout
  private var samplers: [GridSampler]
  /// Waiting samples by second: all channels of all tracks, one after the other.
  private var waiting: [Int64: [Int16]] = [:]
  private var queue: AnnotationQueue
  private var tachogram: TachogramSampler
  /// The record that is written next: range and second.
  private var range = 0
  private var second: Int64
  /// The latest second with a sample, by track.
  private var reached: [Int64]
  private let recordLength: Int

  init(_ session: ResearchSession, _ layout: EDFLayout) {
    (self.session, self.layout) = (session, layout)
    samplers = session.tracks.map { GridSampler($0, origin: 0) }
    reached = session.tracks.map { _ in .min }
    queue = AnnotationQueue(layout.annotations, limit: layout.annotationLength)
    tachogram = TachogramSampler(session.chain, rate: EDFSignal.tachogramRate)
    second = layout.seconds[0].lowerBound
    recordLength = session.tracks.reduce(0) { $0 + $1.rate * $1.channels }
  }

  mutating func write(_ events: some Sequence<SessionEvent>, to sink: ByteSink) throws {
    if !session.tracks.isEmpty {
      for event in events {
        for track in samplers.indices { collect(event, track) }
        while range < layout.seconds.count, second < complete { try writeRecord(to: sink) }
      }
    }
    while range < layout.seconds.count { try writeRecord(to: sink) }
  }

  /// The first second that can still receive samples.
  private var complete: Int64 {
    let newest = reached.max() ?? .min
    let oldest = reached.min() ?? .min
    return max(oldest, newest == .min ? .min : newest - Int64(Self.longestWait))
  }

  private mutating func collect(_ event: SessionEvent, _ place: Int) {
    let track = session.tracks[place]
    let rate = Int64(track.rate)
    let base = session.tracks[..<place].reduce(0) { $0 + $1.rate * $1.channels }
    samplers[place].update(event) { index, values in
      let second = index >= 0 ? index / rate : (index - rate + 1) / rate
      reached[place] = max(reached[place], second)
      guard second >= self.second else { return }
      let slot = base + Int(index - second * rate)
      for channel in 0..<track.channels {
        waiting[second, default: Array(repeating: Self.noSample, count: recordLength)][
          slot + channel * track.rate] = Self.digital(values[channel])
      }
    }
  }

  private static func digital(_ value: Double) -> Int16 {
    value.isFinite ? Int16(min(max(value.rounded(), -32_767), 32_767)) : noSample
  }

  private mutating func writeRecord(to sink: ByteSink) throws {
    let isLast = range == layout.seconds.count - 1 && second == layout.seconds[range].upperBound - 1
    var samples: [Int16] = []
    for index in 0..<Int64(EDFSignal.tachogramRate) {
      samples.append(tachogram.digital(at: second * Int64(EDFSignal.tachogramRate) + index))
    }
    samples += waiting.removeValue(forKey: second) ?? Array(repeating: Self.noSample, count: recordLength)
    var bytes = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: UInt16(bitPattern: $0) >> 8)]
    }
    let entries = queue.next(at: second, origin: layout.origin, isLast: isLast)
    bytes += entries + Array(repeating: 0, count: max(0, layout.annotationLength - entries.count))
    try sink(bytes)
    second += 1
    if second == layout.seconds[range].upperBound {
      range += 1
      if range < layout.seconds.count { second = layout.seconds[range].lowerBound }
    }
    while let old = waiting.keys.first(where: { $0 < second }) { waiting.removeValue(forKey: old) }
  }
}
