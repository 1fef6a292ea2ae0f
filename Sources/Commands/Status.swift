import ArgumentParser
import Glibc
import HeartRate
import History
import LiveFeed
import LiveSession
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: Stressmon.name,
    abstract: localized("Print the latest stress value on one line, for status bars."),
    discussion: localized(
      "A value that is not live is printed in parentheses with its age. A running session is not affected.")
      + "\n"
      + examples(
        "stressmon status                          ♣ 12 (9-16) Relaxed · HRV 48 ms ↑ · now",
        "stressmon status --format large --watch",
        "stressmon status --format spoken          " + localized("in sentences, for a screen reader"),
        "stressmon status --format '{icon}{hr}' --watch",
        "stressmon status --format waybar --watch   " + localized("in waybar: \("\"return-type\": \"json\"")")
      )
  )

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The contents: small (category and mood), medium (stress, HRV, trend, age), large (sparkline, stress, insight), \
        spoken (sentences), waybar (one JSON object: text, alt, tooltip, class, percentage), or a text with values such \
        as \("'{icon} {hr}'"): \(ValueName.list).
        """),
      valueName: "format"), completion: .list(StatusFormat.names), transform: StatusFormat.init)
  var format = StatusFormat.size(.medium)

  @Flag(name: .long, help: .localized("Print one JSON object (see docs/reference/json.md)."))
  var json = false

  @Flag(name: .long, help: .hidden)
  var waybar = false

  @Flag(name: .long, help: .localized("Keep running and print a new line at every change."))
  var watch = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if json, waybar { throw ValidationError.exclusive("--json", "--waybar") }
    if json, format == .waybar { throw ValidationError.exclusive("--json", "--format waybar") }
  }

  func run() throws {
    let context = try CommandContext()
    let profile = try store.existingProfile(context)
    let output = StandardOutput()
    if waybar { printReplacement(of: "--waybar", by: "--format waybar") }
    let waybar = waybar || format == .waybar
    let line = StatusLine(
      profile: profile, form: json ? .json : waybar ? .waybar : format.form, size: format.size,
      style: appearance.style(context, isTerminal: !json && !waybar && output.isTerminal))
    let source = StatusSource(
      profile: profile, metric: context.configuration.hrvMetric, interval: context.configuration.storeInterval
    )
    let detail = json || waybar ? .today : format.size.detail
    let location = try store.location(context, mustExist: true)
    var view = StatusView(location: location, source: source, detail: detail)
    try output.write(line.line(view.update()))
    if watch {
      let feed = try? FeedReader(FeedDirectory(context.environment), database: location.resolvedPath)
      try view.follow(
        line, output, feed.map { LiveStatus($0, profile: profile, metric: context.configuration.hrvMetric) })
    }
  }
}

/// The value of `--format`: a ``StatusSize``, the object for waybar, or a text with values.
enum StatusFormat: Equatable {
  case size(StatusSize)
  case waybar
  case text(ValueTemplate)

  static let names = StatusSize.allCases.map(\.rawValue) + ["waybar"]

  /// - Throws: `ValidationError` for an unknown name and an invalid text.
  init(_ argument: String) throws {
    if argument == "waybar" {
      self = .waybar
    } else if let size = StatusSize(rawValue: argument) {
      self = .size(size)
    } else {
      guard argument.contains(where: { $0 == "{" || $0 == "}" }) else {
        throw ValidationError(
          localized(
            "'\(argument)' is not a format: \(Self.names.joined(separator: ", ")) and texts such as \("'{icon} {hr}'") are"
          ))
      }
      do throws(ValueTemplate.Invalid) {
        self = .text(try ValueTemplate(argument))
      } catch {
        throw ValidationError(error.message)
      }
    }
  }

  var size: StatusSize { if case .size(let size) = self { size } else { .medium } }

  var form: StatusLine.Form { if case .text(let template) = self { .template(template) } else { .text } }
}

/// The status, read again when the history has changed or the last result has expired.
private struct StatusView {
  private let location: StoreLocation
  private let source: StatusSource
  private let detail: StatusSource.Detail
  private var reader: HistoryReader?
  private var revision: Int64?
  private var readAt = Int64.min
  private var status: StatusReport?

  /// Time in s after which the history is read again even if it is unchanged.
  private static let expiry: Int64 = 5

  init(location: StoreLocation, source: StatusSource, detail: StatusSource.Detail) {
    (self.location, self.source, self.detail) = (location, source, detail)
  }

  mutating func update() throws -> StatusReport? {
    let now = SystemClock.wall
    if reader == nil { reader = try HistoryReader(location) }
    guard let reader else { return nil }
    let revision = try reader.revision()
    let second = now.microseconds / 1_000_000
    if revision != self.revision || !(0..<Self.expiry).contains(second - readAt) {
      status = try source.status(reader, detail, now: now)
      (self.revision, readAt) = (revision, second)
    }
    return status
  }

  /// Prints a line whenever the status changes, until standard output is closed.
  /// - Parameter live: the session of the profile, whose values replace those of the history, if feeds can be read.
  mutating func follow(_ line: StatusLine, _ output: StandardOutput, _ live: LiveStatus?) throws {
    var live = live
    var (last, printed) = (Self.key(status), line.line(status))
    while output.waitWhileOpen(seconds: live == nil ? 1 : 0) {
      live?.wait(seconds: 1)
      let stored = try update()
      let status = live?.status(stored) ?? stored
      guard Self.key(status) != last else { continue }
      last = Self.key(status)
      let text = line.line(status)
      guard text != printed else { continue }
      try output.write(text)
      printed = text
    }
  }

  /// The status with its age rounded to the printed precision, because the age must not cause a new line each second.
  private static func key(_ status: StatusReport?) -> StatusReport? {
    guard var status else { return nil }
    status.age = status.isLive ? 0 : status.age < 60 ? max(-1, status.age / 10) : status.age / 60 * 60
    return status
  }
}
