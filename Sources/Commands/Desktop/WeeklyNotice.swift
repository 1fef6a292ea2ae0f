import ArgumentParser
import Desktop
import Glibc
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// The options of the weekly digest.
struct DigestOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Print one sentence about the latest week, Monday to Sunday."))
  var digest = false

  @Flag(
    name: .long,
    help: .localized(
      """
      With --digest: post the sentence on the desktop, at most once for each week, and write the report to the setting \
      'digest-folder'.
      """))
  var notify = false

  @Flag(name: .long, help: .hidden)
  var ifWanted = false

  func validate() throws {
    if notify, !digest {
      throw ValidationError.requires("--notify", "--digest", example: "report --digest --notify")
    }
    if ifWanted, !notify {
      throw ValidationError.requires(
        "--if-wanted", "--notify", example: "report --digest --notify --if-wanted")
    }
  }
}

/// The weekly digest as a line of text, a desktop notification and a file.
struct WeeklyNotice {
  let context: CommandContext
  let profile: String

  /// - Parameter lastDay: the last day of the week, in days since 1970-01-01; by default the latest Sunday before today.
  func run(_ reader: HistoryReader?, _ options: DigestOptions, ending lastDay: Int64?) throws {
    // The timer runs this command whether or not the digest is wanted.
    if options.ifWanted, context[.digest] != "on" { return }
    let today = LocalCalendar.system.day(of: SystemClock.wall)
    let lastDay = lastDay ?? WeeklyDigest.lastDay(before: today)
    let digest = try WeeklyDigest(
      reader, of: profile, ending: lastDay, metric: context.configuration.hrvMetric, .system)
    let style = context.environment.style(isTerminal: false)
    guard let sentence = digest.sentence(style.language) else {
      return try StandardOutput().line(
        style.localized("The week has too few measurements for a digest."))
    }
    try StandardOutput().line(sentence.printable)
    guard options.notify else { return }
    try writeReport(digest.report, style, lastDay)
    try post(sentence, style, lastDay)
  }

  // MARK: The notification

  /// Posts the sentence unless that of the same week was posted before.
  private func post(_ sentence: String, _ style: TerminalStyle, _ lastDay: Int64) throws {
    let folder = context.environment.stateFolder + "/digest"
    let marker = "\(folder)/\(fileName(lastDay))"
    do throws(FileError) {
      try Folder.create(folder)
      try OutputFile(path: marker, replacing: false).write([])
    } catch {
      guard error.code == .exists else { throw error }
      return printDiagnostic(
        "stressmon: " + style.localized("the digest of this week was posted already"))
    }
    do {
      try context.environment.post(
        DesktopNotification(
          summary: style.localized("Your week"), body: String(sentence.filter { !"<&".contains($0) })))
    } catch {
      unsafe unlink(marker)
      throw CommandFailure(
        .failed, Phrase("no notification on the desktop: \(String(describing: error))"))
    }
  }

  /// `me-2026-11-22`. A profile can have any printable name.
  private func fileName(_ lastDay: Int64) -> String {
    let name = String(profile.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return "\(name)-\(TrendPeriod.date(lastDay))"
  }

  // MARK: The report

  /// Writes the report of the week (mode 0600), unless the file exists.
  private func writeReport(_ report: PeriodReport, _ style: TerminalStyle, _ lastDay: Int64) throws {
    guard let folder = context[.digestFolder].map(context.environment.expandingTilde) else { return }
    let path = "\(folder)/stressmon-\(fileName(lastDay)).html"
    let document = PeriodDocument(report: report, language: style.language).document
    do throws(FileError) {
      try Folder.create(folder)
      try OutputFile(path: path, replacing: false).write(Array(document.html.utf8))
    } catch {
      guard error.code == .exists else { throw error }
      return
    }
    printDiagnostic("stressmon: " + style.localized("wrote \(path.printable)"))
  }
}

extension WeeklyNotice {
  /// How the timer is started, once the digest is on.
  static let nextStep = Phrase(
    "Start its timer with: \("systemctl --user enable --now stressmon-digest.timer")")
}

extension ProcessEnvironment {
  /// The folder of small files that outlive a session: `stressmon` in XDG_STATE_HOME, by default `~/.local/state`.
  fileprivate var stateFolder: String {
    (self["XDG_STATE_HOME"] ?? (self["HOME"] ?? ".") + "/.local/state") + "/stressmon"
  }
}
