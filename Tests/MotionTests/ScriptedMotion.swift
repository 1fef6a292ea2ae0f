import HeartRate
import Motion
import Simulator

/// The features of a script, sampled at `rate`.
func features(_ script: String, seconds: Double, seed: UInt64 = 1, rate: Double = 25) -> [MotionSecond] {
  var motion = SimulatedMotion(seed: seed, script: MotionScript(script)!)
  var detector = MotionDetector(rate: rate)
  var features: [MotionSecond] = []
  for number in 0..<Int(seconds * rate) {
    let time = Double(number) / rate
    let sample = motion.sample(at: time, period: 1 / rate)
    detector.update(sample, at: SessionTime(seconds: time)!) { features.append($0) }
  }
  return features
}

/// The events of an acceleration stream during a script.
func events(_ script: String, frames: Int, seed: UInt64 = 1) -> [SessionEvent] {
  var stream = SimulatedStream(seed: seed, script: MotionScript(script)!)
  let start = SessionEvent(
    at: .zero, .stream(SensorStreamChange(.acceleration, .started, settings: SimulatedStream.settings)))
  return [start]
    + (0..<frames).map { _ in
      let (end, payload) = stream.next()
      return SessionEvent(at: SessionTime(seconds: end + 0.03)!, .sensorFrame(payload: payload))
    }
}

extension [MotionSecond] {
  /// Fraction of the seconds for which `condition` holds.
  func fraction(_ condition: (MotionSecond) -> Bool) -> Double {
    Double(filter(condition).count) / Double(Swift.max(count, 1))
  }
}
