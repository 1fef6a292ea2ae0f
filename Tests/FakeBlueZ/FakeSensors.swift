package import HeartRate
package import Simulator

/// The sensor streams of a simulated strap (Polar PMD) and their behaviour.
package struct FakeSensors: Sendable {
  /// The mask of the streams, as in the value of the control point; 5 for the ECG and acceleration of an H10, 12 for the
  /// acceleration and PPI of an optical band.
  package var features: UInt8 = 0x05
  /// What the person does.
  package var script: MotionScript
  /// The pulse intervals of successive PPI frames, repeated.
  package var pulses: [[PulseInterval]] = []
  /// Samples per frame at 25 Hz; an H10 sends 36.
  package var samplesPerFrame = 36
  /// Seconds from a start to the first frame.
  package var startDelay = 0.0
  /// The error code of each start request; 0 for success, and without an entry.
  package var startErrors: [UInt8] = []
  /// Whether requests fail with "Not paired" until the strap is paired.
  package var requiresPairing = false
  /// Whether requests are acknowledged but never answered.
  package var answersNothing = false
  /// Whether it has the protocol of its first firmware only.
  package var isEarlier = false

  package init(script: MotionScript) { self.script = script }
}
