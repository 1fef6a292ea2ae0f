/// The posture of a morning reading. Readings of different postures are different series, because standing lowers RMSSD
/// and raises the heart rate.
public enum MorningPosture: String, Sendable, CaseIterable {
  case lying
  case sitting
  case standing
}
