import HeartRate
import JSONLines
import Platform
import SessionData

/// Reads RR intervals from an XDF file, which LabRecorder writes: each stream of RR intervals is a session.
///
/// Heart rates and markers of the file are part of each session. Times are moved to the clock of the recording computer by a
/// linear fit of the clock offsets. RR intervals are the values of the samples, not differences of times; a gap begins where
/// the times are ahead as for rows with times (`RowClock`). Memory grows with the samples of these streams.
struct XDFReader {
  private var chunks: XDFChunks
  private var streams: [Int: XDFStream] = [:]
  private var series: [Int: XDFSeries] = [:]
  private var order: [Int] = []
  private var recorded: FileSession.Start?
  /// Clock time of the first clock offset: about the start of the recording.
  private var firstOffset: Double?

  private let mode: SessionEvents.Mode

  private static let longestText = 1 << 16
  private static let mostStreams = 10_000

  init(_ source: ByteSource, _ mode: SessionEvents.Mode) throws {
    (chunks, self.mode) = (try XDFChunks(source), mode)
  }

  mutating func sessions(_ body: (FileSession) throws -> Void) throws {
    while let tag = try chunks.next() {
      switch XDFChunks.Tag(rawValue: tag) {
      case .fileHeader: try fileHeader()
      case .streamHeader: try streamHeader()
      case .samples: try samples()
      case .clockOffset: try clockOffset()
      case .boundary, .streamFooter, nil: break
      }
    }
    guard mode.keepsEvents else { return }
    let others = order.compactMap { series[$0] }.filter { !$0.isIntervals }
    for id in order {
      guard let stream = series[id], stream.isIntervals else { continue }
      try body(try stream.session(with: others, recorded: recorded, zero: firstOffset))
    }
  }

  private mutating func header() throws -> [UInt8] {
    guard chunks.left <= XDFStream.longestHeader else {
      throw chunks.malformed("a header of \(chunks.left) bytes; the limit is \(XDFStream.longestHeader)")
    }
    return try chunks.read(chunks.left)
  }

  private mutating func fileHeader() throws {
    recorded = XDFText(try header())["datetime"].flatMap { FileSession.Start(date: $0) } ?? recorded
  }

  private mutating func streamHeader() throws {
    let id = try chunks.number(bytes: 4)
    guard streams[id] == nil, streams.count < Self.mostStreams else {
      throw chunks.malformed("a second header of stream \(id), or more than \(Self.mostStreams) streams")
    }
    guard let stream = XDFStream(header: try header()) else {
      throw chunks.malformed("a header of stream \(id) without channel_count or channel_format")
    }
    streams[id] = stream
    order.append(id)
    if stream.content != .other { series[id] = XDFSeries(stream, mode) }
  }

  private mutating func clockOffset() throws {
    let id = try chunks.number(bytes: 4)
    let (time, value) = (try chunks.double(), try chunks.double())
    guard time.isFinite, value.isFinite else { return }
    firstOffset = min(firstOffset ?? time, time)
    series[id]?.offsets.add(time: time, value: value)
  }

  private mutating func samples() throws {
    let id = try chunks.number(bytes: 4)
    guard let stream = streams[id] else {
      throw chunks.malformed("samples of stream \(id), which has no header")
    }
    guard stream.content != .other else { return }
    let count = try chunks.variableLength()
    guard count <= chunks.left else {
      throw chunks.malformed(
        "\(count) samples are expected, but the chunk has only \(chunks.left) bytes more")
    }
    for _ in 0..<count {
      let stamp = try chunks.number(bytes: 1)
      guard stamp == 0 || stamp == 8 else {
        throw chunks.malformed("a time of \(stamp) bytes instead of 0 or 8")
      }
      let time = stamp == 8 ? try chunks.double() : nil
      let value = try value(of: stream)
      try series[id]?.append(value, time: time)
    }
  }

  /// The value of the channel that is read; the others are skipped.
  private mutating func value(of stream: XDFStream) throws -> XDFSeries.Value {
    let wanted: Int
    switch stream.content {
    case .intervals(let channel, _), .heartRates(let channel): wanted = channel
    case .markers, .other: wanted = 0
    }
    var result = XDFSeries.Value.text("")
    if let length = stream.value.length {
      let sample = try chunks.read(length * stream.channels)
      return .number(Self.number(sample[(length * wanted)..<(length * (wanted + 1))], stream.value))
    }
    for channel in 0..<stream.channels {
      let length = try chunks.variableLength()
      guard length <= Self.longestText else {
        throw chunks.malformed("a text of \(length) bytes; the limit is \(Self.longestText)")
      }
      let bytes = try chunks.read(length)
      if channel == wanted { result = .text(String(decoding: bytes, as: UTF8.self)) }
    }
    return result
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ type: XDFStream.Value) -> Double {
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return switch type {
    case .float32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double64: Double(bitPattern: bits)
    case .int8: Double(Int8(truncatingIfNeeded: bits))
    case .int16: Double(Int16(truncatingIfNeeded: bits))
    case .int32: Double(Int32(truncatingIfNeeded: bits))
    case .int64: Double(Int64(truncatingIfNeeded: bits))
    case .string: .nan
    }
  }
}
