internal import HeartRate
internal import History
internal import Recording
internal import SessionData

/// The reason why a message cannot be processed.
package enum FleetMessageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Written by a later version of the program; it must be kept until an update.
  case newerFormat(Int)
  /// Encrypted to a participant whose key this collector does not have; it must be kept until the file of keys contains it.
  case missingKey(FleetCode)
  /// Not a message of this program.
  case invalid(String)

  package var description: String {
    switch self {
    case .newerFormat(let version):
      "the message has the format \(version), and this version reads formats up to \(FleetMessage.format); update stressmon"
    case .missingKey(let participant): "the key of the participant \(participant) is missing"
    case .invalid(let reason): "the message is not valid: \(reason)"
    }
  }
}

extension FleetMessage {
  /// Decodes a message whose body is not encrypted any more.
  /// - Parameters:
  ///   - subject: Its subject. The code of the participant in the message must be the same, because collectors and erasures
  ///     use that of the subject.
  ///   - header: Returns the value of a header, or `nil` if the message lacks it.
  package init(
    _ subject: FleetSubject, header: (String) -> String?, body: ArraySlice<UInt8>
  ) throws(FleetMessageError) {
    try Self.checkFormat(header(HeaderName.format))
    guard let id = header(HeaderName.id), let parts = MessageID(id) else {
      throw .invalid("it has no \(HeaderName.id)")
    }
    let content: Content
    switch parts.part {
    case .begin:
      let session = try Self.session(body, parts.session, subject)
      content = .begin(session.header, session.provenance)
    case .end:
      guard let events = header(HeaderName.events).flatMap(Int64.init), events >= 0 else {
        throw .invalid("it has no \(HeaderName.events)")
      }
      let session = try Self.session(body, parts.session, subject)
      content = .end(session.header, session.provenance, events: events)
    case .events(let sequence): content = .events(try Self.events(body, sequence), first: sequence.lowerBound)
    }
    self.init(session: parts.session, secret: parts.secret, content)
    repetition = parts.repetition
    deletedFrom = try Self.deleted(header, content)
  }

  /// Accepts the format of this version. A number that no newer version can have is an error of the receiver, not a reason to
  /// wait.
  private static func checkFormat(_ text: String?) throws(FleetMessageError) {
    guard let text else { throw .invalid("it has no \(HeaderName.format)") }
    guard let format = Int(text), (1...Self.format + plausibleFormats).contains(format) else {
      throw .invalid("its format is '\(text.prefix(20))'")
    }
    guard format <= Self.format else { throw .newerFormat(format) }
    guard format >= Self.plainFormat else {
      throw .invalid("its format is \(format), which does not identify the receiver; update the receiver")
    }
  }

  /// The first of the deleted events before the content.
  private static func deleted(
    _ header: (String) -> String?, _ content: Content
  ) throws(FleetMessageError) -> Int64? {
    guard case .events(_, let first) = content, let text = header(HeaderName.deletedFrom) else { return nil }
    guard let number = Int64(text), (0..<first).contains(number) else {
      throw .invalid("its \(HeaderName.deletedFrom) is '\(text)'")
    }
    return number
  }

  private static func session(
    _ body: ArraySlice<UInt8>, _ id: SessionID, _ subject: FleetSubject
  ) throws(FleetMessageError) -> (header: RecordingHeader, provenance: SessionProvenance) {
    var parser = SessionLineParser(path: "message")
    parser.append(body)
    let (first, second) = try reading { (try parser.next(), try parser.next()) }
    guard case .header(let session)? = first, let header = session.header, second == nil else {
      throw .invalid("it has no header of a session")
    }
    guard header.session == id.text else { throw .invalid("its header belongs to session \(header.session)") }
    guard header.profile == subject.participant.text else {
      throw .invalid("its participant is not \(subject.participant)")
    }
    return (header, session.provenance ?? SessionProvenance())
  }

  private static func events(
    _ body: ArraySlice<UInt8>, _ sequence: ClosedRange<Int64>
  ) throws(FleetMessageError) -> [SessionEvent] {
    let events = try reading { try SessionLines.events(in: body, path: "message") }
    guard events.count == sequence.count else {
      throw .invalid("it has \(events.count) events instead of \(sequence.count)")
    }
    return events
  }

  private static func reading<Value>(_ body: () throws -> Value) throws(FleetMessageError) -> Value {
    do { return try body() } catch { throw .invalid(String(describing: error)) }
  }
}

/// A parsed ``FleetMessage/id``.
private struct MessageID {
  enum Part {
    case begin, end
    case events(ClosedRange<Int64>)
  }

  var session: SessionID
  var part: Part
  var secret: String
  var repetition: Int64?

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (3...4).contains(parts.count), let session = SessionID(String(parts[0])), let part = Part(parts[1]),
      let secret = FleetCode(parts[2])
    else { return nil }
    (self.session, self.part, self.secret) = (session, part, secret.text)
    guard parts.count == 4 else { return }
    guard let repetition = Int64(parts[3]) else { return nil }
    self.repetition = repetition
  }
}

extension MessageID.Part {
  fileprivate init?(_ text: Substring) {
    switch text {
    case "begin": self = .begin
    case "end": self = .end
    default:
      let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
      guard let first = numbers.first ?? nil, let last = numbers.last ?? nil, numbers.count <= 2,
        0 <= first, first <= last, last < .max, last - first < Int64(FleetMessage.largestCount)
      else { return nil }
      self = .events(first...last)
    }
  }
}
