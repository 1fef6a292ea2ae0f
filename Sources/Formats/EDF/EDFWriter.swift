import HRV
package import HeartRate

/// Writes a session as EDF+: beats, gaps and notes as annotations; tachogram, electrocardiogram and acceleration as signals.
///
/// docs/reference/research-formats.md describes every byte. The samples of one second are in memory.
///
/// Source: Kemp and Olivan (2003), European data format 'plus' (EDF+), Clin. Neurophysiol. 114:1755-1761.
package struct EDFWriter {
  private let session: ResearchSession
  private let layout: EDFLayout
  private let signals: [EDFSignal]

  package init(_ session: ResearchSession) {
    self.session = session
    layout = EDFLayout(session)
    signals = [.tachogram] + session.tracks.flatMap(EDFSignal.signals)
  }

  /// Writes the file.
  /// - Parameter events: the events that `session` was made from.
  package func write(_ events: some Sequence<SessionEvent>, to sink: ByteSink) throws {
    try sink(header)
    var body = EDFBody(session, layout)
    try body.write(events, to: sink)
  }

  // MARK: Header

  private var header: [UInt8] {
    let date = layout.startSecond.edfDate
    let all = signals + [.annotations(length: layout.annotationLength)]
    var header: [UInt8] = []
    func put(_ text: String, _ length: Int) { header += text.padded(to: length) }
    put("0", 8)
    put("X X X X", 80)
    put("Startdate \(date.long) X X stressmon", 80)
    put(date.short, 8)
    put(date.time, 8)
    put("\(256 * (all.count + 1))", 8)
    put(layout.isContiguous ? "EDF+C" : "EDF+D", 44)
    put("\(layout.recordCount)", 8)
    put("1", 8)
    put("\(all.count)", 4)
    for (field, length) in EDFSignal.fields { for signal in all { put(signal[keyPath: field], length) } }
    return header
  }
}

/// The header of a signal.
struct EDFSignal {
  var label: String
  var transducer = ""
  var unit = ""
  var physicalMinimum: String
  var physicalMaximum: String
  var prefilter = ""
  var samples: Int

  var digitalMinimum: String { "-32768" }
  var digitalMaximum: String { "32767" }
  var samplesText: String { "\(samples)" }
  var reserved: String { "" }

  /// The fields in the order of the header, with their lengths.
  static var fields: [(KeyPath<EDFSignal, String>, Int)] {
    [
      (\.label, 16), (\.transducer, 80), (\.unit, 8), (\.physicalMinimum, 8), (\.physicalMaximum, 8),
      (\.digitalMinimum, 8), (\.digitalMaximum, 8), (\.prefilter, 80), (\.samplesText, 8), (\.reserved, 32),
    ]
  }

  /// Samples of the tachogram per second.
  static let tachogramRate = 4
  /// Digital units of the tachogram per ms.
  static let tachogramScale: Int64 = 4

  static var tachogram: EDFSignal {
    EDFSignal(
      label: "RR", transducer: "RR intervals, 0: no interval", unit: "ms", physicalMinimum: "-8192",
      physicalMaximum: "8191.75", samples: tachogramRate)
  }

  static func signals(_ track: SensorTrack) -> [EDFSignal] {
    let labels = track.stream == .ecg ? ["ECG"] : ["AccX", "AccY", "AccZ"]
    return labels.map {
      EDFSignal(
        label: $0, transducer: "chest strap, -32768: no sample", unit: track.unit, physicalMinimum: "-32768",
        physicalMaximum: "32767", samples: track.rate)
    }
  }

  static func annotations(length: Int) -> EDFSignal {
    EDFSignal(label: "EDF Annotations", physicalMinimum: "-1", physicalMaximum: "1", samples: length / 2)
  }
}

extension String {
  /// Printable ASCII, cut or padded with spaces to `length` bytes.
  fileprivate func padded(to length: Int) -> [UInt8] {
    let plain = utf8.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "_") }.prefix(length)
    return plain + Array(repeating: 0x20, count: length - plain.count)
  }
}

extension Int64 {
  /// A local time in seconds since 1970 as the texts of a header. Years outside of 1985 to 2084 are `yy`.
  fileprivate var edfDate: (long: String, short: String, time: String) {
    let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    let text = WallTime(microseconds: multipliedReportingOverflow(by: 1_000_000).partialValue).rfc3339
    let parts = text.prefix(10).split(separator: "-")
    let month = Int(parts[1]).map { months[($0 - 1) % 12] } ?? "JAN"
    let isCoded = (1985...2084).contains(Int(parts[0]) ?? 0)
    return (
      "\(parts[2])-\(month)-\(parts[0])", "\(parts[2]).\(parts[1]).\(isCoded ? parts[0].suffix(2) : "yy")",
      String(text.dropFirst(11).prefix(8).map { $0 == ":" ? "." : $0 })
    )
  }
}
