import ArgumentParser
import Desktop
import JSONLines
import Localization
import NetworkCommands
import Platform
import Session
import Terminal

/// `stressmon service on`, `off` and `status`: the user service of systemd that runs `stressmon service`.
protocol ServiceSwitch: ParsableCommand {
  var json: Bool { get }

  func change(_ unit: ServiceUnit) throws -> ServiceUnit.State
}

struct ServiceOn: ServiceSwitch {
  static let configuration = CommandConfiguration(
    commandName: "on", _superCommandName: "stressmon service",
    abstract: localized("Measure in the background from now on, also after the next login (systemd)."),
    discussion: examples("stressmon service on"))

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  func change(_ unit: ServiceUnit) throws -> ServiceUnit.State {
    // The unit runs without options.
    let context = try CommandContext()
    let stored = try ProfileHistory(storing: StoreOptions.parse([]), context)
    try Service.requireKnownStrap(context, stored.profile, stored.location)
    return try unit.enable()
  }
}

struct ServiceOff: ServiceSwitch {
  static let configuration = CommandConfiguration(
    commandName: "off", _superCommandName: "stressmon service",
    abstract: localized("End the measurement in the background, also after the next login."),
    discussion: examples("stressmon service off"))

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  func change(_ unit: ServiceUnit) throws -> ServiceUnit.State { try unit.disable() }
}

struct ServiceStatus: ServiceSwitch {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: "stressmon service",
    abstract: localized("Show whether the measurement in the background is on."),
    discussion: examples("stressmon service status"))

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  func change(_ unit: ServiceUnit) throws -> ServiceUnit.State { try unit.state() }
}

extension ServiceSwitch {
  func run() throws {
    guard let address = ProcessEnvironment.current.sessionBus else {
      throw Self.noManager(localized("there is no session bus"))
    }
    let unit = ServiceUnit("stressmon.service", at: address)
    do {
      try print(try change(unit), of: unit)
    } catch let failure as ServiceUnit.Failure {
      throw Self.failure(failure, unit)
    }
  }

  private func print(_ state: ServiceUnit.State, of unit: ServiceUnit) throws {
    guard json else { return try StandardOutput().line(localized(Self.sentence(state))) }
    var line = JSONLine()
    line.line { line in
      line.put("unit", unit.name)
      line.put("enabled", state.isEnabled)
      line.put("running", state.isRunning)
      line.put("state", state.activity)
    }
    try StandardOutput().write(line.bytes)
  }

  private static func sentence(_ state: ServiceUnit.State) -> Phrase {
    switch (state.isRunning, state.isEnabled) {
    case (true, true): Phrase("Measuring in the background is on, and starts again when you log in.")
    case (true, false): Phrase("Measuring in the background is on until you log out.")
    case (false, true):
      Phrase(
        """
        Measuring in the background starts when you log in, but is not running now (\(state.activity)). Show the reason with: \
        \("journalctl --user -u stressmon")
        """)
    case (false, false): Phrase("Measuring in the background is off.")
    }
  }

  private static func failure(_ failure: ServiceUnit.Failure, _ unit: ServiceUnit) -> CommandFailure {
    switch failure {
    case .noManager(let reason): noManager(reason)
    case .notInstalled:
      CommandFailure(
        .failed,
        Phrase("the unit \(unit.name) is not installed. Install it with: \("make install-service")"))
    case .rejected(let reason): CommandFailure(.failed, Phrase("systemd rejected the request: \(reason)"))
    }
  }

  private static func noManager(_ reason: String) -> CommandFailure {
    CommandFailure(
      .failed,
      Phrase(
        "systemd of this user cannot be reached: \(reason). Without it, start this command yourself: \("stressmon service")"
      ))
  }
}
