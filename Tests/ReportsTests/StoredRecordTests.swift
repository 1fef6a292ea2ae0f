import HeartRate
import JSONLines
import Stress
import TestSupport
import Testing

@testable import History
@testable import Reports

/// Records of the history as JSON and CSV.
@Suite struct StoredRecordTests {
  private static let time = WallTime(microseconds: 1_790_000_000_000_000)

  private func json(_ record: some ListedRecord) throws -> JSONValue {
    try JSONValue(String(decoding: [record].json, as: UTF8.self))
  }

  /// The fields of a line of CSV by the names of their columns.
  private func fields<Record: ListedRecord>(_ record: Record) -> [String: String] {
    let lines = [record].csv.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(lines.count == 2 && lines[0].count == lines[1].count)
    return Dictionary(zip(lines[0], lines[1])) { first, _ in first }
  }

  private static let measurement: StoredMeasurement = {
    var confidence = Confidence()
    (confidence[.artefacts], confidence[.coverage]) = (0.5, 0.75)
    confidence[.noise] = 0.5
    var quality = WindowQuality()
    quality.noise = 0.4
    return StoredMeasurement(
      id: 7, session: SessionID(stored: "01K"), profile: "me", time: time,
      at: SessionTime(ticks: 40_000_000), window: 60, stress: 42, rmssd: 35.5, sdnn: 48.25, meanNN: 800,
      meanHeartRate: 75, pNN50: 12, beats: 60, normalBeats: 57, coverage: 0.98, sensorClass: .smoothed,
      confidence: confidence, interval: 38.5...47, quality: quality)
  }()

  @Test func measurementHasEveryValueUnderItsKey() throws {
    let json = try json(Self.measurement)
    let numbers: [String: Double] = [
      "id": 7, "monotonic_s": 0.5, "window_s": 60, "beats": 57, "mean_nn_ms": 800, "mean_hr_bpm": 75,
      "sdnn_ms": 48.25, "rmssd_ms": 35.5, "pnn50_percent": 12, "artefact_percent": 5, "coverage": 0.98,
      "stress": 42, "stress_low": 38.5, "stress_high": 47, "confidence": 0.1875,
    ]
    for (key, value) in numbers { #expect(isClose(json[key]?.number, value), "\(key)") }
    #expect(json["sensor_class"]?.text == "smoothed" && json["category"]?.text == "mild")
    #expect(json["confidence_factors"]?["coverage"]?.number == 0.75)
    #expect(json["reading"]?.bool == false && json["usable"]?.bool == true && json["engine"] == .null)
  }

  @Test func columnsOfAMeasurementHaveTheValuesOfJSON() throws {
    let (json, fields) = (try json(Self.measurement), fields(Self.measurement))
    for (key, value) in json.members where key != "confidence_factors" {
      switch value {
      case .number(let number): #expect(fields[key].flatMap(Double.init) == number, "\(key)")
      case .text(let text): #expect(fields[key] == text, "\(key)")
      case .null: #expect(fields[key] == "", "\(key)")
      default: #expect(fields[key] == value.bool.map { "\($0)" }, "\(key)")
      }
    }
    #expect(fields["confidence_artefacts"] == "0.5" && fields["confidence_baseline"] == "")
    #expect(fields["confidence_noise"] == "0.5" && fields["stress_low"] == "38.5")
    #expect(fields.count == json.members.count - 1 + Confidence.Factor.allCases.count)
  }

  /// Scripts can depend on the positions of columns.
  @Test func columnsOfAMeasurementKeepTheirPositions() {
    let columns = StoredMeasurement.csvHeading.dropLast().split(separator: ",").map(String.init)
    #expect(
      columns.prefix(34) == [
        "id", "time", "monotonic_s", "session", "profile", "window_s", "beats", "mean_nn_ms", "mean_hr_bpm",
        "sdnn_ms", "rmssd_ms", "pnn50_percent", "artefact_percent", "coverage", "sensor_class", "stress",
        "category", "confidence", "confidence_low_hrv", "confidence_heart_rate_range",
        "confidence_sample_count", "confidence_artefacts", "confidence_rhythm", "confidence_coverage",
        "confidence_window_fill", "confidence_contact", "confidence_sensor", "confidence_baseline", "engine",
        "reading", "paced", "usable", "stress_low", "stress_high",
      ])
  }

  @Test func theRangesAreTheLastColumns() throws {
    var measurement = Self.measurement
    (measurement.range, measurement.levelRange) = (30...55, 12...54.5)
    let columns = StoredMeasurement.csvHeading.dropLast().split(separator: ",").suffix(4)
    #expect(Array(columns) == ["stress_range_low", "stress_range_high", "level_low", "level_high"])
    #expect(measurement.csv.hasSuffix(",30.0,55.0,12.0,54.5\r\n"), "\(measurement.csv)")
    let json = try json(measurement)
    #expect(json["stress_range_low"]?.number == 30 && json["level_high"]?.number == 54.5)
    measurement.levelRange = nil
    #expect(measurement.csv.hasSuffix(",30.0,55.0,,\r\n"))
  }

  @Test func measurementOfAnEarlierVersionHasNoInterval() throws {
    var measurement = Self.measurement
    (measurement.interval, measurement.quality) = (nil, nil)
    let json = try json(measurement)
    #expect(json["stress"]?.number == 42 && json["stress_low"] == .null && json["stress_high"] == .null)
    #expect(fields(measurement)["stress_low"] == "")
  }

  private static let exercise: StoredBreathing = {
    var exercise = StoredBreathing(
      session: SessionID(stored: "01K"), profile: "me", time: time, pattern: "4-7-8", cycles: 3,
      plannedCycles: 4, seconds: 57)
    exercise.before = .init(rmssd: 40, sdnn: 50, heartRate: 70, stress: 30, confidence: 0.9)
    exercise.during = .init(rmssd: 80, sdnn: 90, heartRate: 66, stress: 10, confidence: 0.8)
    exercise.after = .init(rmssd: 60, sdnn: 65, heartRate: 64, stress: 20, confidence: 0.7)
    (exercise.coherence, exercise.amplitude, exercise.changed) = (0.6, 45, .yes)
    exercise.ratio = .init(value: 1.5, low: 1.1, high: 2.1)
    exercise.smallestDetectableRatio = 1.4
    exercise.resonance = .init(value: 5.6, low: 5.3, high: 5.9)
    return exercise
  }()

  @Test func exerciseHasEveryValueUnderItsKey() throws {
    let json = try json(Self.exercise)
    #expect(json["before"]?["rmssd_ms"]?.number == 40 && json["after"]?["rmssd_ms"]?.number == 60)
    #expect(json["during"]?["sdnn_ms"]?.number == 90 && json["after"]?["mean_hr_bpm"]?.number == 64)
    #expect(json["before"]?["stress"]?.number == 30 && json["during"]?["confidence"]?.number == 0.8)
    let numbers: [String: Double] = [
      "cycles": 3, "planned_cycles": 4, "duration_s": 57, "coherence": 0.6, "rsa_ms": 45, "rmssd_ratio": 1.5,
      "rmssd_ratio_low": 1.1, "rmssd_ratio_high": 2.1, "smallest_detectable_ratio": 1.4,
      "resonance_brpm": 5.6, "resonance_low_brpm": 5.3, "resonance_high_brpm": 5.9,
    ]
    for (key, value) in numbers { #expect(json[key]?.number == value, "\(key)") }
    #expect(json["changed"]?.bool == true)
  }

  @Test func columnsOfAnExerciseNameThePart() {
    let fields = fields(Self.exercise)
    #expect(fields["before_rmssd_ms"] == "40.0" && fields["during_rmssd_ms"] == "80.0")
    #expect(fields["after_rmssd_ms"] == "60.0" && fields["after_confidence"] == "0.7")
    #expect(fields["resonance_high_brpm"] == "5.9" && fields["pattern"] == "4-7-8")
  }

  @Test func sessionHasEveryValueUnderItsKey() throws {
    let info = SessionInfo(
      id: SessionID(stored: "01K"), profile: "me", source: .simulated, started: Self.time,
      zone: "Europe/Berlin",
      utcOffset: 7200, monotonicNanoseconds: 0, settings: .init(), baseline: .populationDefault,
      programVersion: "0.1.0", engine: 3)
    let session = StoredSession(
      info: info, outcome: .finished, ended: Self.time, length: SessionTime(ticks: 80_000_000 * 90),
      events: 100,
      measurements: 9, strap: StrapIdentity(address: "C0:00:00:00:00:01", name: "H10"))
    let (json, fields) = (try json(session), fields(session))
    #expect(json["session"]?.text == "01K" && json["source"]?.text == "simulated")
    #expect(json["duration_s"]?.number == 90 && json["events"]?.number == 100)
    #expect(json["measurements"]?.number == 9 && json["engine"]?.number == 3)
    #expect(json["strap"]?.text == "C0:00:00:00:00:01" && json["strap_name"]?.text == "H10")
    #expect(
      fields["zone"] == "Europe/Berlin" && fields["outcome"] == "finished" && fields["strap_name"] == "H10")
    #expect(Set(fields.keys) == Set(json.members.keys))
  }

  @Test func journalEntryHasItsMoodInWordsAndNumber() throws {
    var line = JSONLine()
    let entry = JournalEntry(
      profile: "me", time: Self.time, utcOffset: 0, mood: Mood(3), triggers: ["coffee", "work"], note: "a\nb")
    line.line { entry.put(into: &$0) }
    let json = try JSONValue(String(decoding: line.bytes, as: UTF8.self))
    #expect(json["mood"]?.number == 3 && json["mood_word"]?.text == "anxious" && json["note"]?.text == "a\nb")
    #expect(json["triggers"]?.elements == [.text("coffee"), .text("work")] && json["session"] == .null)
  }
}
