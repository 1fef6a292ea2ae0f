// Prints what the detector and the verification find, for Research/ECG/run.
//
//   ECGFigures peaks RATE [FRAME] < SAMPLES    positions of the R peaks in samples; with FRAME, live in frames of so many samples
//   ECGFigures respiration RATE SECONDS < SAMPLES
//                                              the end of each window in s, and breaths per minute or "-"
//   ECGFigures complexes RATE < SAMPLES        position in samples, width and area in s of each QRS complex
//   ECGFigures verify < CSV                    lines "ecg,µV" and "rr,ms" in the order of their arrival at 130 Hz: the results of the
//                                              verification
import HRV
import HeartRate

/// The numbers of standard input, one per line.
func samples() -> [Double] {
  var values: [Double] = []
  while let line = readLine() { if let value = Double(line) { values.append(value) } }
  return values
}

func printPeaks(_ rate: Double, frame: Int?) {
  let samples = samples()
  var peaks: [Double] = []
  if let frame {
    var detector = LivePeakDetector(rate: rate)
    for start in stride(from: 0, to: samples.count, by: frame) {
      peaks += detector.append(Array(samples[start..<min(samples.count, start + frame)])).map(\.position)
    }
  } else {
    peaks = RPeakDetector(rate: rate).peaks(in: samples)
  }
  for peak in peaks { print(peak) }
}

func printComplexes(_ rate: Double) {
  for complex in RPeakDetector(rate: rate).complexes(in: samples()) {
    print(complex.position, complex.width, complex.area)
  }
}

/// Windows of `length` seconds, each ten seconds later than the one before.
func printRespiration(_ rate: Double, length: Double) {
  let samples = samples()
  let peaks = RPeakDetector(rate: rate).complexes(in: samples).map {
    (time: $0.position / rate, amplitude: $0.amplitude)
  }
  for end in stride(from: length, through: Double(samples.count) / rate, by: 10) {
    let window = peaks.filter { $0.time > end - length && $0.time <= end }
    print(end, RespirationRate(amplitudes: window).rate.value.map { "\($0)" } ?? "-")
  }
}

/// Replays a session of a strap: frames of 73 samples, and notifications of one interval.
func verify() {
  let (rate, length) = (130.0, 73)
  var (monitor, stream) = (ECGMonitor(), BeatStream(classification: .provisional))
  var (frame, count) = ([Int32](), 0)
  func process(_ kind: SessionEvent.Kind) {
    let event = SessionEvent(at: SessionTime(seconds: Double(count) / rate)!, kind)
    stream.update(event) { if case .beat(let beat) = $0 { monitor.append(beat) } }
    _ = monitor.update(event)
  }
  process(
    .stream(
      SensorStreamChange(
        .ecg, .started, settings: SensorSettings(rate: Int(rate)), reason: SensorStreamChange.verification)))
  while let line = readLine() {
    let parts = line.split(separator: ",")
    guard parts.count == 2, let value = Double(parts[1]) else { continue }
    if parts[0] == "rr" {
      let units = UInt16((value * 1.024).rounded())
      process(
        .notification(
          payload: HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals(gattUnits: [units])).encoded()
        ))
      continue
    }
    frame.append(Int32(value.rounded()))
    count += 1
    guard frame.count == length else { continue }
    let time = UInt64(Double(count - 1) / rate * 1e9) + 600_000_000_000_000_000
    process(.sensorFrame(payload: SensorFrame.encoded(ecg: frame, timestamp: time)))
    frame = []
  }
  for result in BeatVerification.allCases { print(result.rawValue, monitor.status.counts[result] ?? 0) }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "peaks": printPeaks(Double(arguments[2])!, frame: arguments.count > 3 ? Int(arguments[3]) : nil)
case "respiration": printRespiration(Double(arguments[2])!, length: Double(arguments[3])!)
case "complexes": printComplexes(Double(arguments[2])!)
case "verify": verify()
default: print("usage: ECGFigures peaks RATE [FRAME] | complexes RATE | respiration RATE SECONDS | verify")
}
