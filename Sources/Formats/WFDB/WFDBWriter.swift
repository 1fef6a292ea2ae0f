import HRV
import HeartRate
import JSONLines

/// Writes the beats of a session as a WFDB record: a header (`.hea`) and annotations in MIT format (`.qrs`).
///
/// docs/reference/research-formats.md describes every byte. Times are integers in units of 1/``frequency`` s. With the chosen
/// unit, all intervals are integers and RR intervals are exact. Only the start of a run is rounded.
package struct WFDBWriter {
  /// Annotator name: the extension of the annotation file.
  package static let annotator = "qrs"
  /// The coarsest of these in which all intervals are integers, in Hz. The last one is the tick.
  private static let frequencies: [Int64] = [1000, 1024, 10_000, 1_000_000, 80_000_000]

  private let session: ResearchSession
  /// Session time of sample 0, at most 0.
  private let origin: SessionTime
  let frequency: Int64
  private var ticks: Int64 { RRInterval.ticksPerSecond / frequency }

  package init(_ session: ResearchSession) {
    self.session = session
    let peaks = session.chain.peaks
    frequency = Self.frequency(peaks)
    let first = min(0, peaks.first?.at.ticks ?? 0)
    origin = SessionTime(
      ticks: -((-first + RRInterval.ticksPerSecond - 1) / RRInterval.ticksPerSecond)
        * RRInterval.ticksPerSecond)
  }

  private static func frequency(_ peaks: [RPeakChain.Peak]) -> Int64 {
    frequencies.first { frequency in
      let unit = RRInterval.ticksPerSecond / frequency
      return zip(peaks, peaks.dropFirst()).allSatisfy { before, peak in
        peak.verdict == nil || (peak.at.ticks - before.at.ticks) % unit == 0
      }
    } ?? RRInterval.ticksPerSecond
  }

  /// The header: no signals, frequency, length in samples, and local start.
  package func header(record: String) -> [UInt8] {
    let start = session.localStart.advanced(ticks: origin.ticks).rfc3339
    let date = start.prefix(10).split(separator: "-").reversed().joined(separator: "/")
    let time = start.dropFirst(11).prefix(15)
    return Array(
      """
      \(record) 0 \(frequency) \(sample(session.end)) \(time) \(date)
      # Beats of a heart-rate strap, written by stressmon. Verdicts are in the auxiliary strings.

      """.utf8)
  }

  private func sample(_ time: SessionTime) -> Int64 {
    max(0, (time.ticks - origin.ticks + ticks / 2) / ticks)
  }

  /// Writes the annotation file.
  package func annotations(to sink: ByteSink) throws {
    var encoder = WFDBEncoder()
    encoder.append(WFDBCode.note, at: 0, text: "## time resolution: \(frequency)")
    for entry in entries {
      encoder.append(entry.code, at: entry.sample, subtype: entry.subtype, text: entry.text)
      if encoder.bytes.count >= 1 << 16 { try sink(encoder.take()) }
    }
    try sink(encoder.take() + [0, 0])
  }

  private struct Entry {
    var sample: Int64
    var code: Int
    var subtype = 0
    var text = ""
  }

  private var entries: [Entry] {
    var all: [Entry] = []
    var last: Int64 = 0
    for (place, peak) in session.chain.peaks.enumerated() {
      if peak.verdict == nil {
        let begin = max(sample(peak.at), all.isEmpty ? 0 : last + 1)
        if !all.isEmpty { all.append(Entry(sample: last, code: WFDBCode.noise, subtype: -1, text: "gap")) }
        last = begin
      } else {
        last += (peak.at.ticks - session.chain.peaks[place - 1].at.ticks) / ticks
      }
      let text = peak.verdict.map { $0.isNormal ? "" : $0.rawValue } ?? "start"
      all.append(Entry(sample: last, code: WFDBCode.code(peak.verdict), text: text))
    }
    all += session.marks.map { Entry(sample: sample($0.at), code: WFDBCode.note, text: Self.note($0.text)) }
    all.append(Entry(sample: sample(session.end), code: WFDBCode.note, text: EDFText.end))
    return all.enumerated().sorted { ($0.element.sample, $0.offset) < ($1.element.sample, $1.offset) }
      .map(\.element)
  }

  /// A text that is not a definition of the annotation file, such as its time resolution.
  private static func note(_ text: String) -> String {
    let plain = EDFText.note(text)
    return plain.hasPrefix("##") ? " \(plain)" : plain
  }
}

/// Encodes annotations in MIT format: 16-bit little-endian words of a code (6 bits) and the samples since the annotation
/// before it (10 bits), with pseudo-annotations for longer distances, subtypes and texts.
struct WFDBEncoder {
  private(set) var bytes: [UInt8] = []
  private var last: Int64 = 0

  /// Longest auxiliary string in bytes.
  private static let longestText = 254
  private static let longestDistance: Int64 = 1023

  mutating func append(_ code: Int, at sample: Int64, subtype: Int = 0, text: String = "") {
    var distance = max(0, sample - last)
    last += distance
    while distance > Self.longestDistance {
      let step = min(distance, Int64(Int32.max))
      word(WFDBCode.skip, 0)
      // A 32-bit number with its high word first.
      for part in [step >> 16, step & 0xFFFF] { bytes += [UInt8(part & 0xFF), UInt8(part >> 8)] }
      distance -= step
    }
    word(code, Int(distance))
    if subtype != 0 { word(WFDBCode.subtype, subtype & 0x3FF) }
    guard !text.isEmpty else { return }
    let auxiliary = Self.cut(text)
    word(WFDBCode.auxiliary, auxiliary.count)
    bytes += auxiliary + (auxiliary.count % 2 == 0 ? [] : [0])
  }

  /// The bytes so far, which are removed.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func word(_ code: Int, _ data: Int) {
    let word = UInt16(code) << 10 | UInt16(data & 0x3FF)
    bytes += [UInt8(word & 0xFF), UInt8(word >> 8)]
  }

  /// The longest beginning of whole characters that fits.
  private static func cut(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      guard bytes.count + character.utf8.count <= longestText else { break }
      bytes += character.utf8
    }
    return bytes
  }
}
