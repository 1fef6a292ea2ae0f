import HRV
import HeartRate
import JSONLines
import SessionData
import Stress

/// Encodes the lines of a recording, as specified in docs/reference/recording-format.md. RecordingParsing.swift decodes them.
enum RecordingFormat {
  static let name = "stressmon-recording"
  static let version: Int64 = 1

  /// - Parameter more: adds members after those of every header.
  static func write(
    _ header: RecordingHeader, as format: String = name, to line: inout JSONLine,
    more: (inout JSONLine) -> Void = { _ in }
  ) {
    line.line {
      $0.put("type", "header")
      $0.put("format", format)
      $0.put("version", version)
      $0.put("session", header.session)
      $0.put("profile", header.profile)
      put(header.strap, to: &$0)
      if let started = header.started { $0.put("time", started.rfc3339) }
      if let zone = header.zone { $0.put("zone", zone) }
      if let program = header.program { $0.put("program", program) }
      if let engine = header.engine { $0.put("engine", engine) }
      $0.put("settings") {
        $0.put("window_s", seconds: SessionTime(ticks: header.settings.window.ticks))
        $0.put("hrv", header.settings.metric.rawValue)
        $0.put("raw", header.settings.classification == .none)
      }
      $0.put("baseline") {
        $0.put("baseline_rmssd_ms", header.baseline.rmssd)
        $0.put("baseline_sdnn_ms", header.baseline.sdnn)
        $0.put("resting_hr_bpm", header.baseline.restingHeartRate)
        $0.put("days", header.baseline.days)
        $0.put("weight", header.baseline.weight)
        $0.put("source", header.baseline.origin.rawValue)
      }
      more(&$0)
    }
  }

  static func write(_ event: SessionEvent, to line: inout JSONLine) {
    line.line {
      $0.put("type", event.kind.typeName)
      $0.put("monotonic_s", seconds: event.at)
      if let wall = event.wall { $0.put("time", wall.rfc3339) }
      switch event.kind {
      case .notification(let payload): $0.put("hex", hex: payload)
      case .interval(let rr): $0.put("rr_ms", milliseconds: CollectionOfOne(rr.ticks))
      case .link(let change):
        $0.put("state", change.state.rawValue)
        put(change.strap, to: &$0)
        if let reason = change.reason { $0.put("reason", reason) }
      case .battery(let level): $0.put("battery_percent", Int64(level.percent))
      case .sensorFrame(let payload): $0.put("base64", base64: payload)
      case .stream(let change): put(change, to: &$0)
      case .mark(let text): $0.put("text", text)
      case .end: break
      }
    }
  }

  private static func put(_ change: SensorStreamChange, to line: inout JSONLine) {
    let settings = change.settings
    line.put("stream", change.stream.name)
    line.put("state", change.state.rawValue)
    if let rate = settings.rate { line.put("rate_hz", rate) }
    if let resolution = settings.resolution { line.put("resolution_bits", resolution) }
    if let range = settings.range { line.put("range_g", range) }
    if settings.factor != 1 { line.put("factor", settings.factor) }
    if let reason = change.reason { line.put("reason", reason) }
  }

  private static func put(_ strap: StrapIdentity?, to line: inout JSONLine) {
    guard let strap else { return }
    line.put("strap", strap.address)
    if let name = strap.name { line.put("strap_name", name) }
  }
}

extension SessionEvent.Kind {
  fileprivate var typeName: String {
    switch self {
    case .notification, .interval: "notification"
    case .link: "link"
    case .battery: "battery"
    case .sensorFrame: "sensor"
    case .stream: "stream"
    case .mark: "mark"
    case .end: "end"
    }
  }
}
