import Breathing
package import HeartRate

/// The marks of a session, by which parts of it are found: notes, markers of an XDF file, annotations of EDF+ and events of
/// BIDS.
///
/// A mark is found by its text, by its note (`stimulus` finds `mark 3: stimulus`) and by its number (`mark 3`).
package struct SessionMarks: Sendable {
  /// The events of the marks, and the end of the session.
  private var events: [SessionEvent] = []

  package init() {}

  package init(_ events: some Sequence<SessionEvent>) { for event in events { append(event) } }

  /// Keeps the event if it is a mark or the end.
  package mutating func append(_ event: SessionEvent) {
    switch event.kind {
    case .mark, .end: events.append(event)
    default: break
    }
  }

  /// The names of the marks, each once, in the order of their times.
  package var names: [String] {
    var names: [String] = []
    for case .mark(let text) in events.map(\.kind) {
      let name = Self.parts(text).note ?? text
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The times of the marks with a name, in order.
  package func times(of name: String) -> [SessionTime] {
    events.compactMap { event in
      guard case .mark(let text) = event.kind else { return nil }
      let parts = Self.parts(text)
      return text == name || parts.note == name || parts.number == name ? event.at : nil
    }
  }

  /// The range of a span. A missing bound is that of the session.
  /// - Throws: ``ReportError`` if a mark or a stage does not exist, or the end is not after the beginning.
  package func range(
    of span: SessionSpan, named name: String
  ) throws(ReportError) -> (from: SessionTime?, to: SessionTime?) {
    switch span {
    case .exercise(let stage):
      guard let times = ExerciseTimes(events).flatMap(stage.times) else {
        throw ReportError(.noStage(stage), "@\(stage.rawValue)")
      }
      return (times.lowerBound, times.upperBound)
    case .times(let times):
      let from = try times.begin.map { (point) throws(ReportError) in try time(of: point, after: nil) }
      let to = try times.end.map { (point) throws(ReportError) in try time(of: point, after: from) }
      if let from, let to, to <= from { throw ReportError(.emptyPart, name) }
      return (from, to)
    }
  }

  private func time(of point: SpanPoint, after begin: SessionTime?) throws(ReportError) -> SessionTime {
    switch point {
    case .time(let time): return SessionTime(ticks: time.ticks)
    case .mark(let name, let occurrence, let offset):
      let all = times(of: name).map { SessionTime(ticks: $0.ticks + offset.ticks) }
      let found =
        occurrence.map { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
        ?? all.first { at in begin.map { at > $0 } ?? true }
      guard let found else {
        throw ReportError(.noMark(known: names), occurrence.map { "\(name)#\($0)" } ?? name)
      }
      return found
    }
  }

  /// The number and the note of a mark of a session: `mark 3` and `stimulus` of `mark 3: stimulus`.
  private static func parts(_ text: String) -> (number: String?, note: String?) {
    guard text.hasPrefix("mark"), let colon = text.firstIndex(of: ":") else { return (nil, nil) }
    let digits = text[..<colon].dropFirst(4)
    guard digits.allSatisfy({ $0.isNumber || $0 == " " }) else { return (nil, nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
  }
}
