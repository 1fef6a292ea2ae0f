import HeartRate
import LiveSession

/// The streams of the Lab Streaming Layer. All have an irregular rate.
package enum LSLStream: String, CaseIterable, Sendable {
  /// RR interval; the time of a sample is the end of the interval.
  case rr = "RR"
  case hr = "HR"
  case hrv = "HRV"
  /// Marks, gaps, and whether the values are live, as text.
  case markers = "Markers"
  /// Electrocardiogram of a session with `--ecg`; the stream exists from its first sample on.
  case ecg = "ECG"

  /// Label, unit and type of each channel; none for text.
  var channels: [(label: String, unit: String, type: String)] {
    switch self {
    case .rr: [("RR", "milliseconds", "RR")]
    case .hr: [("HR", "bpm", "HR")]
    case .hrv:
      [
        ("RMSSD", "milliseconds", "HRV"), ("SDNN", "milliseconds", "HRV"), ("stress", "0-100", "Stress"),
        ("confidence", "0-1", "Stress"),
      ]
    case .markers: []
    case .ecg: [("ECG", "microvolts", "ECG")]
    }
  }
}

/// A sample of a stream at a time in ns of the boot clock.
package struct LSLSample: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case numbers([Double])
    case text(String)
  }

  package var stream: LSLStream
  package var content: Content
  package var time: Int64
}

/// Samples of the four streams. A value without data is NaN in a sample with other values, as usual in XDF files.
package struct LSLEncoder: OutletEncoder {
  private var isLive = false

  package init() {}

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [LSLSample] {
    switch event.event {
    case .beat(let interval): [sample(.rr, [interval.milliseconds], event)]
    case .marker(let text): [LSLSample(stream: .markers, content: .text(text), time: event.time)]
    case .values(let values): samples(values, event)
    case .ecg(let values, let rate): samples(values, rate, event)
    }
  }

  /// A stream has no state.
  package mutating func connected(at now: Int64) -> [LSLSample] { [] }

  private mutating func samples(_ values: LiveValues, _ event: TimedEvent) -> [LSLSample] {
    var samples: [LSLSample] = []
    if values.isLive != isLive {
      isLive = values.isLive
      let text = isLive ? "live" : "not live"
      samples.append(LSLSample(stream: .markers, content: .text(text), time: event.time))
    }
    if let heartRate = values.heartRate { samples.append(sample(.hr, [Double(heartRate)], event)) }
    guard let rmssd = values.rmssd else { return samples }
    let numbers = [rmssd] + [values.sdnn, values.stress, values.confidence].map { $0 ?? .nan }
    return samples + [sample(.hrv, numbers, event)]
  }

  /// The last sample has the time of the event.
  private func samples(_ values: [Double], _ rate: Double, _ event: TimedEvent) -> [LSLSample] {
    values.enumerated().map { index, value in
      let age = Double(values.count - 1 - index) / rate
      return LSLSample(
        stream: .ecg, content: .numbers([value]), time: event.time - Int64((age * 1e9).rounded()))
    }
  }

  private func sample(_ stream: LSLStream, _ numbers: [Double], _ event: TimedEvent) -> LSLSample {
    LSLSample(stream: stream, content: .numbers(numbers), time: event.time)
  }
}
