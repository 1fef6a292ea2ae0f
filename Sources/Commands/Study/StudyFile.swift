import HRV
import Localization
import NetworkCommands
import Platform
import Reports
import TOMLKit
import Terminal

/// The settings of a study: `study.toml` in its folder.
struct StudyFile {
  static let name = "study.toml"

  let plan: StudyPlan
  /// The folder of the file, to which the paths of recordings are relative.
  let folder: String

  /// Reads the settings in a folder.
  /// - Throws: ``CommandFailure`` if the folder has no settings, or a setting is unknown or invalid.
  init(folder: String) throws {
    let path = "\(folder)/\(Self.name)"
    guard let text = try TextFile.read(path) else {
      throw CommandFailure(
        .failed,
        Phrase(
          "there is no \(path.printable). Create a study with: stressmon study new \(folder.printable)"))
    }
    self.folder = folder
    do {
      plan = try Self.plan(TOMLTable(string: text))
    } catch let error as TOMLParseError {
      throw ConfigurationError.syntax(
        path, line: error.source.begin.line, column: error.source.begin.column, error.description)
    } catch let error as StudySettingError {
      throw CommandFailure(
        .badData,
        Phrase(
          "\(path.printable): '\(error.key)' is not valid: expected \(Phrase(untranslated: error.expected))")
      )
    }
  }

  private static let keys: Set = [
    "title", "recordings", "participants", "conditions", "design", "segments", "shortest",
    "most_artefacts_percent", "metrics", "outcomes", "table", "analysis",
  ]

  private static func plan(_ table: TOMLTable) throws(StudySettingError) -> StudyPlan {
    let settings = StudySettings(table, keys: keys)
    try settings.requireKnownKeys()
    let pattern = try settings.value("recordings", "a path such as data/{participant}_{condition}.txt") {
      RecordingPattern($0)
    }
    guard let pattern else {
      throw StudySettingError(
        key: "recordings", expected: "a path such as data/{participant}_{condition}.txt")
    }
    var plan = StudyPlan(title: try settings.value("title", "a text") { $0 } ?? "Study", recordings: pattern)
    plan.participants = try settings.texts("participants")
    plan.conditions = try settings.texts("conditions")
    try settings.set(&plan.design, "design", "paired or independent", GroupDifference.Design.init)
    try settings.set(&plan.shortest, "shortest", "a duration such as 4m") {
      DurationArgument(argument: $0)?.duration
    }
    plan.mostArtefacts = try settings.number("most_artefacts_percent") ?? plan.mostArtefacts
    let segments = try settings.texts("segments").map { text throws(StudySettingError) in
      guard let segment = Segment(argument: text) ?? Segment(epoch: text) else {
        throw StudySettingError(
          key: "segments", expected: "'task=begin..end' or 'stimulus -10s +60s', not '\(text)'")
      }
      return segment
    }
    if !segments.isEmpty { plan.segments = segments }
    guard Set(plan.segments.map(\.name)).count == plan.segments.count else {
      throw StudySettingError(key: "segments", expected: "different names")
    }
    try addMetrics(to: &plan, settings)
    try addTable(to: &plan, table)
    try addAnalysis(to: &plan, table)
    return plan
  }

  private static func addMetrics(
    to plan: inout StudyPlan, _ settings: StudySettings
  ) throws(StudySettingError) {
    let known = Dictionary(uniqueKeysWithValues: MetricCatalogue.series.map { ($0.key, $0) })
    func metrics(_ key: String) throws(StudySettingError) -> [MetricDefinition] {
      try settings.texts(key).map { name throws(StudySettingError) in
        guard let metric = known[name] else {
          throw StudySettingError(
            key: key, expected: "keys of metrics (docs/reference/metrics.md) such as rmssd_ms, not '\(name)'")
        }
        return metric
      }
    }
    let (chosen, outcomes) = (try metrics("metrics"), try metrics("outcomes"))
    if !outcomes.isEmpty { plan.outcomes = outcomes }
    if !chosen.isEmpty { plan.metrics = chosen + plan.outcomes.filter { !chosen.contains($0) } }
  }

  private static func addTable(to plan: inout StudyPlan, _ table: TOMLTable) throws(StudySettingError) {
    let keys: [(String, WritableKeyPath<StudyPlan.TableColumns, String?>)] = [
      ("participant", \.participant), ("condition", \.condition), ("time", \.time),
      ("intervals", \.intervals),
    ]
    guard let section = table["table"]?.table else { return }
    let settings = StudySettings(section, keys: Set(keys.map(\.0)), prefix: "table.")
    try settings.requireKnownKeys()
    for (key, path) in keys {
      plan.table[keyPath: path] = try settings.value(key, "the heading of a column") { $0 }
    }
  }

  private static func addAnalysis(to plan: inout StudyPlan, _ table: TOMLTable) throws(StudySettingError) {
    guard let section = table["analysis"]?.table else { return }
    let settings = StudySettings(
      section, keys: ["series", "classifier", "correction", "psd", "detrend"], prefix: "analysis.")
    try settings.requireKnownKeys()
    var options = AnalysisChoice()
    try settings.set(&options.top, "series", "normal, corrected or raw", SessionAnalysis.Top.init)
    try settings.set(
      &options.classifier, "classifier", "stressmon or lipponen-tarvainen", ClassifierArgument.init)
    try settings.set(
      &options.correction, "correction", "automatic, very-low, low, medium, strong or very-strong"
    ) { CorrectionArgument(rawValue: $0).flatMap { $0 == .none ? nil : $0 } }
    try settings.set(&options.psd, "psd", "lomb, welch or ar", SpectrumSettings.Method.init)
    try settings.set(
      &options.detrend, "detrend", "window or smoothness-priors", SpectrumSettings.Detrending.init)
    if options.classifier == .lipponenTarvainen, options.correction != .automatic {
      throw StudySettingError(key: "analysis.correction", expected: "automatic with that classifier")
    }
    (plan.top, plan.methods) = (options.top, options.methods)
  }
}

/// The methods of the section `analysis`.
private struct AnalysisChoice {
  var top = SessionAnalysis.Top.normal
  var classifier = ClassifierArgument.stressmon
  var correction = CorrectionArgument.automatic
  var psd = SpectrumSettings.Method.lomb
  var detrend = SpectrumSettings.Detrending.window

  var methods: AnalysisMethods {
    AnalysisMethods(
      spectrum: SpectrumSettings(method: psd, detrending: detrend),
      classification: classifier == .lipponenTarvainen
        ? .lipponenTarvainen : correction.level.map { .threshold($0) } ?? .automatic,
      onlyTopSeries: true)
  }
}

/// A setting of a study that is unknown or invalid.
struct StudySettingError: Error, Equatable {
  let key: String
  let expected: String
}

/// Reads the settings of a table of `study.toml`.
private struct StudySettings {
  private let table: TOMLTable
  private let keys: Set<String>
  private let prefix: String

  init(_ table: TOMLTable, keys: Set<String>, prefix: String = "") {
    (self.table, self.keys, self.prefix) = (table, keys, prefix)
  }

  /// A mistyped setting must not be ignored: the results would be those of other settings.
  func requireKnownKeys() throws(StudySettingError) {
    guard let unknown = table.keys.sorted().first(where: { !keys.contains($0) }) else { return }
    throw StudySettingError(
      key: prefix + unknown, expected: "one of \(keys.sorted().joined(separator: ", "))")
  }

  func value<Value>(
    _ key: String, _ expected: String, _ convert: (String) -> Value?
  ) throws(StudySettingError) -> Value? {
    guard let value = table[key] else { return nil }
    guard let text = value.string, let converted = convert(text) else {
      throw StudySettingError(key: prefix + key, expected: expected)
    }
    return converted
  }

  func set<Value>(
    _ target: inout Value, _ key: String, _ expected: String, _ convert: (String) -> Value?
  ) throws(StudySettingError) {
    if let value = try value(key, expected, convert) { target = value }
  }

  func number(_ key: String) throws(StudySettingError) -> Double? {
    guard let value = table[key] else { return nil }
    guard let number = value.double ?? value.int.map(Double.init), number >= 0 else {
      throw StudySettingError(key: prefix + key, expected: "a number")
    }
    return number
  }

  /// A list of different texts, or a single text.
  func texts(_ key: String) throws(StudySettingError) -> [String] {
    guard let value = table[key] else { return [] }
    if let text = value.string { return [text] }
    let error = StudySettingError(key: prefix + key, expected: "a list of different texts")
    guard let list = value.array else { throw error }
    var texts: [String] = []
    for index in 0..<list.count {
      guard let text = list[index].string, !texts.contains(text) else { throw error }
      texts.append(text)
    }
    return texts
  }
}

extension StudyFile {
  /// The text of a new `study.toml`.
  static let example = """
    # A study of stressmon (docs/guide/studies.md). Check it with `stressmon study check`, then run `stressmon study run`.
    # Lines that begin with # are comments: remove the # to change a setting.

    title = "Rest and task"

    # The recordings, relative to this folder: text with RR intervals, tables, recordings, EDF+, XDF, WFDB, BIDS and others.
    # {participant}, {condition} and {session} stand for a part of a name, * for any characters.
    recordings = "recordings/{participant}_{condition}.*"

    # The conditions; the first one is the reference. Recordings are paired by participant and condition.
    conditions = ["rest", "task"]

    # The participants that are expected (default: those that are found). Missing recordings are reported.
    # participants = ["P01", "P02", "P03"]

    # "paired": each participant has all conditions. "independent": each participant has one.
    # design = "paired"

    # The parts of each recording (default: the whole). Times count from its beginning; marks are found by their text.
    # segments = ["baseline=0:00-5:00", "task=begin..end", "stimulus -10s +60s"]

    # Segments that are shorter, or have more intervals that are not normal, have no values (default: 60s, 100).
    # shortest = "4m"
    # most_artefacts_percent = 5

    # The metrics that are tested: decide before the data are seen. p values are adjusted for their number (Holm).
    outcomes = ["ln_rmssd"]

    # The metrics of segments.csv (default: all of docs/reference/metrics.md).
    # metrics = ["mean_hr_bpm", "rmssd_ms", "sdnn_ms", "lf_ms2", "hf_ms2"]

    # Tables with several recordings: a file with columns of participant and condition, or with one column per recording
    # (P01_rest, P01_task). The pattern then has no {participant}: recordings = "all.csv".
    # [table]
    # participant = "participant"
    # condition = "condition"
    # time = "timestamp"
    # intervals = "rr_ms"

    # [analysis]
    # series = "normal"          # normal, corrected or raw
    # classifier = "stressmon"   # stressmon or lipponen-tarvainen
    # correction = "automatic"   # automatic, very-low, low, medium, strong or very-strong
    # psd = "lomb"               # lomb, welch or ar
    # detrend = "window"         # window or smoothness-priors

    """
}
