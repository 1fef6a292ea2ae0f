import ArgumentParser
import Glibc
import HeartRate
import History
import Platform
import Stress
import Terminal

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: Stressmon.name,
    abstract: "Print the latest stress value on one line, for status bars.",
    discussion: """
      A value that is not live is printed in parentheses with its age. A running session is not affected.
      Example: stressmon status                          ♣ 12 Relaxed · RMSSD 48 ms ↑ · now
      Example: stressmon status --format large --watch
      Example: stressmon status --format spoken          in sentences, for a screen reader
      Example: stressmon status --waybar --watch         in waybar: "return-type": "json"
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The contents: small (category and mood), medium (stress, HRV, trend, age), large (sparkline, stress, insight) \
      or spoken (sentences).
      """,
      valueName: "size"))
  var format = GlanceSize.medium

  @Flag(name: .long, help: "Print one JSON object (see docs/reference/json.md).")
  var json = false

  @Flag(name: .long, help: "Print one JSON object for waybar: text, alt, tooltip, class, percentage.")
  var waybar = false

  @Flag(name: .long, help: "Keep running and print a new line at every change.")
  var watch = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if json, waybar {
      throw ValidationError("--json and --waybar exclude each other: leave out one of them.")
    }
  }

  func run() throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let profile = try store.existingProfile(configuration, environment)
    let output = StandardOutput()
    let report = StatusReport(
      profile: profile, form: json ? .json : waybar ? .waybar : .text, size: format,
      style: appearance.style(
        environment, configuration, isTerminal: !json && !waybar && output.isTerminal))
    let source = GlanceSource(
      profile: profile, metric: configuration[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd,
      interval: configuration[.storeEvery].flatMap(DurationArgument.init(argument:))?.duration ?? .seconds(10)
    )
    // A script gets all there is; a line only what fits in it.
    let size = json || waybar ? .large : format
    var view = StatusView(
      location: try store.location(configuration, environment), source: source, size: size)
    try output.write(report.line(view.update()))
    if watch { try view.follow(report, output) }
  }
}

extension GlanceSize: ExpressibleByArgument {}

/// Reads the history again when it has changed, and when time alone changes what is to be said.
private struct StatusView {
  let location: StoreLocation
  let source: GlanceSource
  let size: GlanceSize
  private var reader: HistoryReader?
  private var revision: Int64?
  private var readAt = Int64.min
  private var glance: Glance?

  /// How long what was read is good for, in s, while nobody writes.
  private static let patience: Int64 = 5

  init(location: StoreLocation, source: GlanceSource, size: GlanceSize) {
    (self.location, self.source, self.size) = (location, source, size)
  }

  mutating func update() throws -> Glance? {
    let now = SystemClock.wall
    if reader == nil { reader = try HistoryReader(location) }
    guard let reader else { return nil }
    let revision = try reader.revision()
    let second = now.microseconds / 1_000_000
    if revision != self.revision || !(0..<Self.patience).contains(second - readAt) {
      glance = try source.glance(reader, size, now: now)
      (self.revision, readAt) = (revision, second)
    }
    return glance
  }

  /// Prints a line whenever it differs from the last, until nobody reads any more.
  mutating func follow(_ report: StatusReport, _ output: StandardOutput) throws {
    var last = Self.key(glance)
    while output.waitWhileOpen(seconds: 1) {
      let glance = try update()
      guard Self.key(glance) != last else { continue }
      try output.write(report.line(glance))
      last = Self.key(glance)
    }
  }

  /// What a new line is worth printing for: the age as people say it, and not each second of it.
  private static func key(_ glance: Glance?) -> Glance? {
    guard var glance else { return nil }
    glance.age = glance.isLive ? 0 : glance.age < 60 ? max(-1, glance.age / 10) : glance.age / 60 * 60
    return glance
  }
}
