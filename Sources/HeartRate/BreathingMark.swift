/// The marks that delimit paced breathing in a session. The time between them does not count as rest, so
/// baseline estimation ignores it.
public enum BreathingMark: String, Sendable, CaseIterable {
  case begins = "breathing exercise begins"
  case ends = "breathing exercise ends"
}
