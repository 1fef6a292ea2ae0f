/// The types of the lines of a session.
enum LineType: String {
  case link
  case stream
  case notification
  case measurement
  case motion
  case ecg
  case gap
  case mark
  case notice
  case end
}

/// The keys of the lines of a session, for ``SessionLineEncoder`` and ``SessionLine``.
///
/// `docs/reference/json.md` documents them. Keys of metrics contain the unit.
package enum LineKey {
  // MARK: All lines
  static let type = "type"
  static let time = "time"
  static let seconds = "monotonic_s"
  static let session = "session"
  static let profile = "profile"
  static let strap = "strap"

  // MARK: Link
  static let state = "state"
  static let stale = "stale"
  static let strapName = "strap_name"
  static let battery = "battery_percent"
  static let reason = "reason"

  // MARK: Notifications, gaps, streams and marks
  package static let heartRate = "hr_bpm"
  static let intervals = "rr_ms"
  static let contact = "contact"
  static let sensorClass = "sensor_class"
  static let energy = "energy_kj"
  static let leftoverBytes = "leftover_bytes"
  static let hex = "hex"
  static let error = "error"
  static let gapStart = "start_s"
  static let gapLength = "duration_s"
  static let cause = "cause"
  static let stream = "stream"
  static let rate = "rate_hz"
  static let text = "text"

  // MARK: Notices
  static let notice = "notice"
  static let prompt = "prompt"
  static let normalLow = "normal_low_ms"
  static let normalHigh = "normal_high_ms"
  static let condition = "condition"

  // MARK: Motion
  static let motion = "motion"
  static let intensity = "mad_mg"
  static let enmo = "enmo_mg"
  static let posture = "posture"
  static let postureChange = "posture_change"
  package static let respiration = "respiration_brpm"

  // MARK: Electrocardiogram
  static let samples = "ecg_uv"
  static let ecgContact = "ecg_contact"
  static let verifiedBeats = "verified_beats"
  static let explainedBeats = "explained_beats"
  static let verifications = "verifications"

  // MARK: Measurements
  static let verdict = "verdict"
  static let window = "window_s"
  static let beats = "beats"
  package static let meanNN = "mean_nn_ms"
  package static let meanHeartRate = "mean_hr_bpm"
  package static let sdnn = "sdnn_ms"
  package static let rmssd = "rmssd_ms"
  package static let lnRMSSD = "ln_rmssd"
  package static let sdsd = "sdsd_ms"
  package static let pNN50 = "pnn50_percent"
  package static let pNN20 = "pnn20_percent"
  package static let sd1 = "sd1_ms"
  package static let sd2 = "sd2_ms"
  package static let artefacts = "artefact_percent"
  static let covered = "covered_s"
  package static let coverage = "coverage"
  package static let stress = "stress"
  package static let stressLow = "stress_low"
  package static let stressHigh = "stress_high"
  package static let stressRangeLow = "stress_range_low"
  package static let stressRangeHigh = "stress_range_high"
  static let levelLow = "level_low"
  static let levelHigh = "level_high"
  static let category = "category"
  package static let confidence = "confidence"
  static let factors = "confidence_factors"
  static let moving = "moving"
  static let still = "still_percent"
  package static let baselineRMSSD = "baseline_rmssd_ms"
  package static let baselineSDNN = "baseline_sdnn_ms"
  package static let restingHeartRate = "resting_hr_bpm"
}
