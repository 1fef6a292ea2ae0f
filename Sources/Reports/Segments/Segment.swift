package import HeartRate

/// A named part of each session of an analysis: a range between two points, or an epoch around each occurrence of a mark.
///
/// ```swift
/// Segment("task", .span(.times(TimeSpan(begin: .mark("begin"), end: .mark("end")))))
/// Segment("reaction", .epochs(mark: "stimulus", from: .seconds(-10), to: .seconds(60)))
/// ```
package struct Segment: Equatable, Sendable {
  package enum Extent: Equatable, Sendable {
    /// The whole session.
    case whole
    case span(SessionSpan)
    /// Times relative to each mark with the name; negative before it.
    case epochs(mark: String, from: Duration, to: Duration)
  }

  /// A part of one session.
  package struct Part: Equatable, Sendable {
    package let name: String
    /// Number of the epoch, from 1; other segments have none.
    package let epoch: Int?
    /// The default is the beginning of the session.
    package let from: SessionTime?
    /// The default is the end of the session.
    package let to: SessionTime?
  }

  package let name: String
  package let extent: Extent

  package init(_ name: String, _ extent: Extent) { (self.name, self.extent) = (name, extent) }

  /// The parts in a session with these marks: several only for epochs.
  /// - Throws: ``ReportError`` if a mark does not exist.
  package func parts(_ marks: SessionMarks) throws(ReportError) -> [Part] {
    switch extent {
    case .whole: return [Part(name: name, epoch: nil, from: nil, to: nil)]
    case .span(let span):
      let range = try marks.range(of: span, named: name)
      return [Part(name: name, epoch: nil, from: range.from, to: range.to)]
    case .epochs(let mark, let from, let to):
      let times = marks.times(of: mark)
      guard !times.isEmpty else { throw ReportError(.noMark(known: marks.names), mark) }
      return times.enumerated().map { place, at in
        Part(
          name: name, epoch: place + 1, from: SessionTime(ticks: at.ticks + from.ticks),
          to: SessionTime(ticks: at.ticks + to.ticks))
      }
    }
  }
}

extension Segment {
  /// The segment in the syntax of the command line, with times in seconds.
  package var text: String {
    switch extent {
    case .whole: name
    case .span(.exercise(let stage)): "\(name)=\(stage.rawValue)"
    case .span(.times(let span)): "\(name)=\(span.begin?.text ?? "")..\(span.end?.text ?? "")"
    case .epochs(let mark, let from, let to): "\(mark) \(from.signedSeconds) \(to.signedSeconds)"
    }
  }
}

extension SpanPoint {
  fileprivate var text: String {
    switch self {
    case .time(let time): "\(SessionTime(ticks: time.ticks).seconds)s"
    case .mark(let name, let occurrence, let offset):
      name + (occurrence.map { "#\($0)" } ?? "") + (offset == .zero ? "" : offset.signedSeconds)
    }
  }
}

extension Duration {
  fileprivate var signedSeconds: String {
    let seconds = SessionTime(ticks: ticks).seconds
    return (seconds < 0 ? "" : "+") + "\(seconds)s"
  }
}
