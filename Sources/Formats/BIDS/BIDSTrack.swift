import HeartRate
import JSONLines

/// Writes a sensor stream as `_physio`: one row per sample of the nominal rate, `n/a` where samples are missing.
struct BIDSTrack {
  private let track: SensorTrack

  init(_ track: SensorTrack) { self.track = track }

  private var label: String { track.stream == .ecg ? "ecg" : "acc" }
  private var columns: [String] { track.stream == .ecg ? ["cardiac"] : track.channelNames }

  /// Session time of the first row, in whole seconds.
  private var start: Double { track.segments.map(\.times.lowerBound).min().map { $0.rounded(.down) } ?? 0 }

  func write(_ events: some Sequence<SessionEvent>, _ path: String, to files: BIDSDataset.Files) throws {
    let path = "\(path)_recording-\(label)_physio"
    try files("\(path).tsv.gz") { try writeSamples(events, to: $0) }
    try files("\(path).json") { try $0(sidecar) }
  }

  private func writeSamples(_ events: some Sequence<SessionEvent>, to sink: ByteSink) throws {
    let encoder = GzipEncoder()
    var sampler = GridSampler(track, origin: start)
    var rows: [UInt8] = []
    var next: Int64 = 0
    let limit = Int64(BIDSBeats.longest) * Int64(track.rate)
    func flush(_ least: Int) throws {
      guard rows.count >= least else { return }
      try encoder.write(rows, to: sink)
      rows.removeAll(keepingCapacity: true)
    }
    for event in events {
      try sampler.update(event) { index, values in
        guard index >= next, index < limit else { return }
        while next < index {
          rows += missing
          next += 1
          try flush(1 << 16)
        }
        append(values, to: &rows)
        next = index + 1
      }
      try flush(1 << 16)
    }
    try flush(1)
    try encoder.finish(to: sink)
  }

  private var missing: [UInt8] {
    Array((Array(repeating: "n/a", count: track.channels).joined(separator: "\t") + "\n").utf8)
  }

  /// ECG in uV; acceleration in g.
  private func append(_ values: SIMD3<Double>, to rows: inout [UInt8]) {
    for channel in 0..<track.channels {
      if channel > 0 { rows.append(UInt8(ascii: "\t")) }
      let value = track.stream == .ecg ? values[channel] : values[channel] / 1000
      rows += value.isFinite ? "\(value)".utf8 : "n/a".utf8
    }
    rows.append(UInt8(ascii: "\n"))
  }

  private var sidecar: [UInt8] {
    JSONLine.document { line in
      line.put("SamplingFrequency", track.rate)
      line.put("StartTime", start)
      line.put("Columns", texts: columns)
      line.put("PhysioType", "generic")
      for column in columns {
        line.put(column) {
          $0.put("Description", track.stream == .ecg ? "Electrocardiogram" : "Acceleration including gravity")
          $0.put("Units", track.stream == .ecg ? "uV" : "g")
        }
      }
    }
  }
}
