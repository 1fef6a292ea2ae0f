import ArgumentParser
import Glibc
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Session
import Strap
import Terminal

struct Pair: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", _superCommandName: Stressmon.name,
    abstract: localized("Pair a strap and remember it."),
    discussion: localized(
      "Most straps measure without pairing. A paired strap becomes the default of the profile.") + "\n"
      + examples("stressmon pair", "stressmon pair C0:FF:EE:00:00:01"))

  @Argument(
    help: .localized("The strap, by address or name (default: the only strap that responds)."),
    completion: Completions.straps)
  var strap: String?

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup(title: commonOptions) var options: AdapterOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func perform() async throws {
    let context = try CommandContext()
    let bluez = options.bluez(context)
    let selection = (strap ?? context[.strap]).map { StrapSelection($0) } ?? .any
    let profile = try store.existingProfile(context)
    let location = try store.location(context)
    let remembered = StoredProfile(profile, location: location, alerts: SessionAlerts(onScreen: false))
    let (isAttended, json) = (isatty(STDIN_FILENO) == 1, json)
    printDiagnostic(localized("Looking for \(selection.phrase)..."))
    let end = try await runUntilInterrupted {
      let pairing: BlueZ.Pairing
      do {
        pairing = try await bluez.pair(selection, agent: isAttended ? Self.person : .unattended)
      } catch let error as StrapError {
        throw Self.failure(error, remembered.straps, isAttended: isAttended)
      }
      let name = pairing.strap.description.printable
      let result = PairingResult(
        strap: pairing.strap, wasPaired: pairing.wasPairedBefore,
        text: pairing.wasPairedBefore
          ? localized("\(name) was paired already.") : localized("Paired with \(name)."))
      try StandardOutput().write(result, asJSON: json)
      try HistoryWriter(location).remember(
        RememberedStrap(pairing.strap, lastUsed: SystemClock.wall), for: profile)
      printDiagnostic(localized("It is remembered. Measure with: \("stressmon live")"))
    }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private static func failure(
    _ error: StrapError, _ remembered: [RememberedStrap], isAttended: Bool
  ) -> CommandFailure {
    let failure = remembered.failure(error, choosingWith: "pair")
    guard case .pairingFailed = error, !isAttended else { return failure }
    return CommandFailure(
      failure.status,
      Phrase(
        "\(failure.message). If the strap requires a passkey, pair it in a terminal, where you can enter it"))
  }

  /// Asks the person at the terminal.
  private static var person: PairingAgent {
    PairingAgent(
      show: { printDiagnostic(localized("Type this number on the strap: \($0)")) },
      ask: {
        TerminalPrompt.answer(localized("The number that the strap shows, or that is printed on it: "))
          .flatMap {
            UInt32($0)
          }
      },
      confirm: {
        TerminalPrompt.answer(localized("Does the strap show \($0)? [y/n] ")).map(isYes) ?? false
      })
  }
}

/// The result of `pair` and `unpair`.
struct PairingResult: PrintedReport {
  let strap: StrapIdentity
  /// Whether the strap was paired before the command.
  let wasPaired: Bool
  let text: String

  func text(width: Int?) -> String { text + "\n" }

  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("strap", strap.address)
      line.put("strap_name", strap.name)
      line.put("was_paired", wasPaired)
    }
    return line.bytes
  }
}
