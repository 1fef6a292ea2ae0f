import ArgumentParser
import Glibc
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Strap
import Terminal

struct Doctor: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Stressmon.name,
    abstract: localized("Diagnose why a strap cannot be found or connected."),
    discussion: localized(
      """
      Checks every layer from the kernel to the strap, and the last session with it, and whether the database, \
      recordings, runtime files and swap are encrypted. Prints one line per check, with
      the command that fixes a fault. It neither pairs nor connects, and scans for a few seconds. It changes nothing, \
      except that it stops a strap that still sends acceleration or an ECG that no program receives.
      Exit code 0 means that a live session can work, 2 that it cannot.
      """) + "\n"
      + examples(
        "stressmon doctor",
        "stressmon doctor --strap C0:FF:EE:00:00:01 --json",
        "stressmon doctor --report report.txt", "stressmon doctor --stop-streams"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The strap, by address or name (default: the strap used last)."), valueName: "strap"),
    completion: Completions.straps)
  var strap: String?

  @Flag(name: .long, help: .localized("Print one JSON object per line."))
  var json = false

  @Flag(
    name: .customLong("stop-streams"),
    help: .localized(
      """
      Only stop the acceleration and ECG of connected straps that no program receives, such as after a crash.
      """)
  )
  var stopStreams = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        "Write versions, settings and checks to a file for a report of a fault, without names and addresses."),
      valueName: "file"), completion: .file())
  var report: String?

  @OptionGroup(title: commonOptions) var options: AdapterOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if report != nil, json { throw ValidationError.exclusive("--report", "--json") }
    if report != nil, stopStreams { throw ValidationError.exclusive("--report", "--stop-streams") }
  }

  func perform() async throws {
    let context = try CommandContext()
    let history = StrapHistory(
      strap: strap ?? context[.strap], profile: try store.measuredProfile(context),
      location: try? store.location(context))
    if stopStreams { return try await stop(history.selection, context) }
    let database = try? store.location(context).path
    let findings =
      await options.bluez(context)
      .diagnose(history.selection, past: history.past) { time in
        if !json {
          printDiagnostic(localized("Listening for \(time.shortText), a short scan; nothing is changed..."))
        }
      } + StorageFindings.ofSystem(database: database, context.environment).findings
    if let report {
      return try await write(DoctorReport(findings, context).text, to: report)
    }
    try StandardOutput().write(json ? Self.json(findings) : Self.text(findings))
    if findings.contains(where: { $0.state == .failed }) { throw ExitCode(ExitStatus.noStrap.rawValue) }
  }

  /// Shows the report, and writes it if the user agrees. Without a terminal, it is written at once.
  private func write(_ report: String, to path: String) throws {
    let file = try OutputFile(path: path, replacing: false)
    try StandardOutput().write(report)
    if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      printDiagnostic(localized("Write this text to \(path)? [y/N]"))
      guard isYes(readLine() ?? "") else {
        file.discard()
        throw CommandFailure(.failed, Phrase("nothing was written"))
      }
    }
    try file.write(Array(report.utf8))
    printDiagnostic(localized("The report was written to \(path)."))
  }

  /// Prints one line per strap. Without bluetoothd or an adapter there is no link, so there is nothing to stop.
  private func stop(_ selection: StrapSelection, _ context: CommandContext) async throws {
    let straps = try? await options.bluez(context).stopUnusedStreams(selection)
    for strap in straps ?? [] {
      try StandardOutput().line(localized("The streams of \("\(strap)") are stopped."))
    }
  }

  private static func text(_ findings: [Finding]) -> String {
    let rows = findings.map { finding in
      (
        state: localized(finding.state.word), title: localized(finding.title),
        text: localized(finding.text).printable, remedy: finding.remedy
      )
    }
    let (states, titles) = (rows.map(\.state.columns).max() ?? 0, rows.map(\.title.columns).max() ?? 0)
    let indentation = String(repeating: " ", count: states + titles + 4)
    return rows.map { row in
      let remedy = row.remedy.map { "\n" + indentation + localized("fix it with: \($0)") } ?? ""
      return "\(row.state.padded(to: states))  \(row.title.padded(to: titles))  \(row.text)\(remedy)\n"
    }.joined()
  }

  private static func json(_ findings: [Finding]) -> String {
    var line = JSONLine()
    for finding in findings {
      line.line { line in
        line.put("check", finding.name)
        line.put("state", finding.state.rawValue)
        line.put("evidence", finding.evidence)
        line.put("remedy", finding.remedy)
        line.put("check_text", localized(finding.title))
        line.put("evidence_text", localized(finding.text).printable)
      }
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}

extension Finding {
  /// ``name`` in the language of the reader. JSON contains the name.
  fileprivate var title: Phrase {
    let power = "power of "
    return switch name {
    case "kernel": Phrase("kernel")
    case "kernel version": Phrase("kernel version")
    case "usb power": Phrase("usb power")
    case "permission": Phrase("permission")
    case "adapter": Phrase("adapter")
    case "scan": Phrase("scan")
    case "strap": Phrase("strap")
    case "signal": Phrase("signal")
    case "model": Phrase("model")
    case "blocked": Phrase("blocked")
    case "bearer": Phrase("bearer")
    case "address": Phrase("address")
    case "bond": Phrase("bond")
    case "battery": Phrase("battery")
    case "links": Phrase("links")
    case "streams": Phrase("streams")
    case "swap": Phrase("swap")
    case "database storage": Phrase("database storage")
    case "recordings storage": Phrase("recordings storage")
    case "runtime storage": Phrase("runtime storage")
    case _ where name.hasPrefix(power): Phrase("power of \(String(name.dropFirst(power.count)))")
    default: Phrase(untranslated: name)
    }
  }
}

extension Finding.State {
  fileprivate var word: Phrase {
    switch self {
    case .ok: Phrase("ok")
    case .warning: Phrase("warning")
    case .failed: Phrase("failed")
    case .unknown: Phrase("unknown")
    }
  }
}

/// The strap to diagnose, and its last stored session. A history that cannot be read is treated as empty.
private struct StrapHistory {
  let selection: StrapSelection
  let past: PastSession?

  init(strap: String?, profile: String, location: StoreLocation?) {
    let reader = location.flatMap { try? HistoryReader($0) }
    let remembered = (try? reader?.rememberedStraps(of: profile)) ?? []
    selection =
      strap.map { StrapSelection($0) } ?? (remembered.isEmpty ? .any : .remembered(remembered.map(\.strap)))
    past = reader.flatMap { Self.lastSession($0, profile, strap.map { StrapSelection($0) }) }
  }

  /// The latest session with data of the selected strap, or of any strap without a selection. Its failures are those of
  /// the latest session, with or without data.
  private static func lastSession(
    _ reader: HistoryReader, _ profile: String, _ selection: StrapSelection?
  ) -> PastSession? {
    var latest: PastSession?
    let sessions = (try? reader.sessions(of: profile, limit: 20)) ?? []
    for session in sessions where session.info.source == .strap {
      guard let strap = session.strap, selection.map({ $0.means(strap) }) ?? true,
        latest.map({ $0.strap.address == strap.address }) ?? true
      else { continue }
      var past = PastSession(strap, events: reader.events(of: session.info.id))
      if let latest { past.reasons = latest.reasons }
      guard past.notifications == 0 else { return past }
      latest = past
    }
    return latest
  }
}
