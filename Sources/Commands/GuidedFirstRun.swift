import ArgumentParser
import Glibc
import HeartRate
import Localization
import Platform
import Strap
import Terminal

/// The guided first run: checks Bluetooth, searches for a strap, takes a reading, and names next steps.
struct GuidedFirstRun {
  let style: TerminalStyle

  /// How the first reading is taken.
  private enum Choice {
    case strap(String)
    case simulated
    case none
  }

  func run() async throws {
    try say(Phrase("Welcome to stressmon. It measures heart rate, HRV and stress with a chest strap."))
    try say(Phrase("Wear the strap with moist electrodes, and disconnect it from phone and watch."))
    switch try await choice() {
    case .strap(let address): try await measure(["--strap", address])
    case .simulated: try await measure(["--simulate", "--speed", "10", "--no-store"])
    case .none: return try say(Phrase("Start again with: stressmon"))
    }
    try say(Phrase("What next:"))
    for step in Self.steps { try StandardOutput().line("  " + style.localized(step)) }
  }

  private static let steps: [Phrase] = [
    Phrase("Watch your heart live: \("stressmon live")"),
    Phrase("Breathe, and see what it changes: \("stressmon breathe")"),
    Phrase("Begin a daily series after waking up: \("stressmon morning")"),
    Phrase("Be asked about moments of stress: \("stressmon config set prompts on")"),
    Phrase("Read a sentence about each week: \("stressmon config set digest on")"),
  ]

  private func say(_ text: Phrase) throws { try StandardOutput().line(style.localized(text)) }

  private func choice() async throws -> Choice {
    while true {
      let question = style.localized(
        "Press Enter to search for the strap, s for a simulated one, q to quit: ")
      switch TerminalPrompt.answer(question)?.lowercased() {
      case "s"?: return .simulated
      case ""?: if let address = try await search() { return .strap(address) }
      case "q"?, nil: return .none
      default: continue
      }
    }
  }

  /// The address of the strap that was found; `nil` after an explanation of what prevents it.
  private func search() async throws -> String? {
    let bluez = try AdapterOptions.parse([]).bluez(CommandContext())
    do {
      try say(Phrase("Searching for straps for 10 s..."))
      let found = try await bluez.scan(for: .seconds(10)) { _ in }.filter(\.isAnswering)
      if let nearest = found.max(by: { ($0.rssi ?? .min) < ($1.rssi ?? .min) }) {
        let name = (nearest.strap.name ?? nearest.strap.address).printable
        try say(Phrase("Found \(name). Sit still and breathe normally for a minute."))
        return nearest.strap.address
      }
      try say(Phrase("No strap answered. Most straps are inactive until they detect skin contact."))
    } catch let error as StrapError {
      try StandardOutput().line(style.localized(error.message()))
    }
    try say(Phrase("Check each step with: stressmon doctor"))
    return nil
  }

  private func measure(_ arguments: [String]) async throws { try await Measure.parse(arguments).perform() }
}

/// Questions on the terminal.
enum TerminalPrompt {
  /// Prints the question, and returns the line that is typed, without white space; `nil` at the end of the input.
  static func answer(_ question: String) -> String? {
    _ = unsafe Array(question.utf8).withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return readLine().map { String($0.filter { !$0.isWhitespace }) }
  }
}
