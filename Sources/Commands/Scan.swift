import ArgumentParser
import HeartRate
import JSONLines
import Localization
import NetworkCommands
import Platform
import Session
import Strap
import Terminal

struct Scan: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", _superCommandName: Stressmon.name,
    abstract: localized("Search for heart rate straps nearby."),
    discussion: localized("Wear the strap: most straps are inactive until they detect skin contact.") + "\n"
      + examples("stressmon scan", "stressmon scan --duration 30s --json"))

  @Option(
    name: .long, help: ArgumentHelp(localized("The length of the scan, 1s or more."), valueName: "duration"))
  var duration = DurationArgument(.seconds(10))

  @Flag(
    name: .long,
    help: .localized("Print one JSON object per line, when a strap is found and when it changes."))
  var json = false

  @OptionGroup(title: commonOptions) var options: AdapterOptions

  func validate() throws {
    try duration.duration.requireAtLeast(.seconds(1), "--duration", example: "30s")
  }

  func perform() async throws {
    let environment = ProcessEnvironment.current
    let bluez = options.bluez(try CommandContext(environment: environment))
    let (length, json) = (duration.duration, json)
    if !json { printDiagnostic(localized("Looking for straps for \(length.shortText)...")) }
    let end = try await runUntilInterrupted {
      let found = try await bluez.scan(for: length) { strap in
        if json { try StandardOutput().write(Self.line(strap)) }
      }
      if !json { try Self.show(found) }
      if found.isEmpty { throw Self.nothingFound(length) }
    }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private static func show(_ found: [FoundStrap]) throws {
    guard !found.isEmpty else { return }
    var table = TextTable([
      (localized("address"), .left), (localized("name"), .left), (localized("signal"), .right),
      (localized("state"), .left),
    ])
    for strap in found {
      let state = [
        strap.isConnected ? localized("connected") : nil, strap.isPaired ? localized("paired") : nil,
        strap.hasHeartRate ? nil : localized("heart rate service not announced"),
        strap.isAnswering ? nil : localized("known, not heard now"),
      ]
      table.append([
        strap.strap.address, strap.strap.name ?? "-", strap.rssi.map { "\($0) dBm" } ?? "-",
        state.compactMap { $0 }.joined(separator: ", "),
      ])
    }
    try StandardOutput().write(table.lines().map { $0 + "\n" }.joined())
    let example = found.first { $0.isAnswering } ?? found[0]
    printDiagnostic(localized("Measure with: \("stressmon live --strap \(example.strap.address)")"))
  }

  private static func line(_ strap: FoundStrap) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("strap", strap.strap.address)
      line.put("strap_name", strap.strap.name)
      line.put("rssi_dbm", strap.rssi)
      line.put("paired", strap.isPaired)
      line.put("connected", strap.isConnected)
      line.put("heart_rate_service", strap.hasHeartRate)
      line.put("answering", strap.isAnswering)
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private static func nothingFound(_ length: Duration) -> CommandFailure {
    CommandFailure(
      .noStrap,
      Phrase(
        """
        no strap answered within \(length.shortText). Wear it with moist electrodes, disconnect it from phone and watch, \
        and try again: stressmon scan --duration 30s
        """))
  }
}
