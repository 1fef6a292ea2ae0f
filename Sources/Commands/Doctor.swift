import ArgumentParser
import Recording
import Strap
import Terminal

struct Doctor: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out what keeps a strap from being heard.",
    discussion: """
      Looks from the kernel up to bluetoothd, one line each, and names the command that mends it. Changes nothing.
      Exit code 0: a live session can work; 2: it cannot.
      Example: stressmon doctor
      """)

  @Flag(name: .long, help: "One JSON object per line.")
  var json = false

  @OptionGroup var options: AdapterOptions

  func perform() async throws {
    let surroundings = Surroundings.current
    let bluez = options.bluez(try Configuration(surroundings: surroundings), surroundings)
    let checks = await bluez.diagnose()
    let output = StandardOutput()
    try output.write(json ? Self.json(checks) : Self.text(checks))
    if checks.contains(where: { $0.state == .failed }) { throw ExitCode(ExitStatus.noStrap.rawValue) }
  }

  private static func text(_ checks: [Diagnosis]) -> String {
    let width = checks.map(\.name.columns).max() ?? 0
    let lines = checks.map { check in
      let remedy =
        check.remedy.map { "\n" + String(repeating: " ", count: width + 11) + "mend it with: \($0)" } ?? ""
      return
        "\(check.state.rawValue.padded(to: 9))\(check.name.padded(to: width))  \(check.evidence.printable)\(remedy)\n"
    }
    return lines.joined()
  }

  private static func json(_ checks: [Diagnosis]) -> String {
    var line = JSONLine()
    for check in checks {
      line.line { line in
        line.put("check", check.name)
        line.put("state", check.state.rawValue)
        line.put("evidence", check.evidence)
        line.put("remedy", check.remedy)
      }
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}
