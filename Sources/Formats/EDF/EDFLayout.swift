import HRV
import HeartRate

/// The data records of an EDF+ file and the annotations in each.
///
/// A record lasts one second. Seconds without beats and samples have no record, which makes the file discontinuous (EDF+D).
/// The time from the start of the session to the first beat has records.
struct EDFLayout {
  /// Seconds of session time that have a record: disjoint ascending ranges.
  let seconds: [Range<Int64>]
  /// Session time 0 in ticks after the start time of the header.
  let origin: Int64
  /// Start time of the header, local, in whole seconds since 1970.
  let startSecond: Int64
  /// Annotations by onset.
  let annotations: [EDFAnnotation]
  /// Length of the annotation signal of a record in bytes; even.
  let annotationLength: Int

  var isContiguous: Bool { seconds.count == 1 }
  var recordCount: Int64 { seconds.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  /// Limit of the annotations of one record in bytes. More are written to the following records.
  private static let longestList = 32_768
  /// Zero bytes after the last entry: RHRV requires two.
  private static let padding = 2

  init(_ session: ResearchSession) {
    let seconds = Self.seconds(session)
    let first = seconds[0].lowerBound
    let micro = session.localStart.microseconds
    let whole = micro >= 0 ? micro / 1_000_000 : (micro - 999_999) / 1_000_000
    startSecond = whole + first
    origin = (micro - whole * 1_000_000) * 80 - first * RRInterval.ticksPerSecond
    annotations = Self.annotations(session, origin: origin)
    (self.seconds, annotationLength) = Self.fit(annotations, seconds, origin: origin)
  }

  /// The onset of a session time in the file.
  func onset(_ second: Int64) -> SessionTime {
    SessionTime(ticks: second * RRInterval.ticksPerSecond + origin)
  }

  private static func seconds(_ session: ResearchSession) -> [Range<Int64>] {
    var covered = session.chain.spans.map { Self.whole($0.lowerBound.seconds, $0.upperBound.seconds) }
    for track in session.tracks {
      covered += track.segments.map { Self.whole($0.times.lowerBound, $0.times.upperBound) }
    }
    covered.sort { $0.lowerBound < $1.lowerBound }
    let start = min(0, covered.first?.lowerBound ?? 0)
    var merged = [start..<max(start + 1, covered.first?.upperBound ?? 1)]
    for range in covered.dropFirst() {
      let last = merged.count - 1
      if range.lowerBound <= merged[last].upperBound {
        merged[last] = merged[last].lowerBound..<max(merged[last].upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private static func whole(_ from: Double, _ to: Double) -> Range<Int64> {
    let limit = 1e9
    let low = Int64(min(max(from, -limit), limit).rounded(.down))
    return low..<max(low + 1, Int64(min(max(to, -limit), limit).rounded(.down)) + 1)
  }

  private static func annotations(_ session: ResearchSession, origin: Int64) -> [EDFAnnotation] {
    func at(_ time: SessionTime) -> SessionTime { SessionTime(ticks: time.ticks + origin) }
    var all: [EDFAnnotation] = session.chain.peaks.map { peak in
      let verdict = peak.verdict.map { $0.isNormal ? [] : [$0.rawValue] } ?? [EDFText.start]
      return EDFAnnotation(onset: at(peak.at), duration: nil, texts: [EDFText.beat] + verdict)
    }
    all += session.chain.gaps.map {
      EDFAnnotation(
        onset: at($0.lowerBound), duration: $0.upperBound.ticks - $0.lowerBound.ticks, texts: [EDFText.gap])
    }
    all += session.marks.map {
      EDFAnnotation(onset: at($0.at), duration: nil, texts: [EDFText.note($0.text)])
    }
    all.append(EDFAnnotation(onset: at(session.end), duration: nil, texts: [EDFText.end]))
    // Stable: a gap follows the beat that it begins with.
    return all.enumerated().sorted { ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset) }
      .map(\.element)
  }
}

// MARK: - Annotations of a record

extension EDFLayout {
  /// Adds records at the end if the annotations do not fit, and returns the length of the annotation signal.
  private static func fit(
    _ annotations: [EDFAnnotation], _ seconds: [Range<Int64>], origin: Int64
  ) -> (seconds: [Range<Int64>], length: Int) {
    var queue = AnnotationQueue(annotations, limit: longestList)
    var longest = 0
    var last: Int64 = 0
    func add(_ second: Int64, isLast: Bool) {
      longest = max(longest, queue.next(at: second, origin: origin, isLast: isLast).count)
      last = second
    }
    for (place, range) in seconds.enumerated() {
      for second in range {
        add(second, isLast: place == seconds.count - 1 && second == range.upperBound - 1)
      }
    }
    while !queue.isEmpty { add(last + 1, isLast: true) }
    var seconds = seconds
    seconds[seconds.count - 1] = seconds[seconds.count - 1].lowerBound..<last + 1
    return (seconds, (longest + padding + 1) / 2 * 2)
  }
}

/// Distributes annotations over records.
struct AnnotationQueue {
  private let annotations: [EDFAnnotation]
  private let limit: Int
  private var place = 0

  init(_ annotations: [EDFAnnotation], limit: Int) { (self.annotations, self.limit) = (annotations, limit) }

  var isEmpty: Bool { place == annotations.count }

  /// The annotation signal of the record of `second`, without padding: its start, then the annotations before its end, as
  /// far as they fit. The last record has the rest.
  mutating func next(at second: Int64, origin: Int64, isLast: Bool) -> [UInt8] {
    let start = SessionTime(ticks: second * RRInterval.ticksPerSecond + origin)
    let end = SessionTime(ticks: start.ticks + RRInterval.ticksPerSecond)
    var bytes = EDFAnnotation.recordStart(start).bytes
    while place < annotations.count, isLast || annotations[place].onset < end {
      let entry = annotations[place].bytes
      guard bytes.count + entry.count <= limit else { break }
      bytes += entry
      place += 1
    }
    return bytes
  }
}
