/// The marks in a session between which a person breathes as led: no rest, and the baseline learns nothing from it.
public enum BreathingMark: String, Sendable, CaseIterable {
  case begins = "breathing exercise begins"
  case ends = "breathing exercise ends"
}
