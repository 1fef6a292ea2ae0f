import Glibc
import TestSupport

/// A temporary home directory for runs of the program, which inherit only PATH from the environment of the tests.
final class Home: Sendable {
  let folder: TemporaryFolder
  private let environment: [String: String?]

  /// - Parameter zone: the value of TZ.
  init(bus: String = "unix:path=/nowhere/bus", zone: String = "UTC") throws {
    folder = try TemporaryFolder(prefix: "home")
    environment = [
      "HOME": folder.path, "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_HOME": folder.file("data"),
      "XDG_RUNTIME_DIR": folder.file("run"), "TMPDIR": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": bus,
      "DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
      "TZ": zone,
      "LANG": "C.UTF-8", "LC_ALL": nil, "LC_MESSAGES": nil, "LANGUAGE": nil, "TEXTDOMAINDIR": nil,
      "TERM": nil, "NO_COLOR": nil, "STRESSMON_DB": nil, "COLUMNS": nil,
      "STRESSMON_LOG": nil,
    ]
  }

  /// A zone in which the time is after 03:00, so that the measurements of the next hours belong to one day.
  static var earlyZone: String { "MORNING\((time(nil) / 3600 + 21) % 24)" }

  var path: String { folder.path }
  var database: String { folder.file("data/stressmon/stressmon.db") }
  var configuration: String { folder.file("config/stressmon/config.toml") }
  func file(_ name: String) -> String { folder.file(name) }

  /// The text of a file; nil if it does not exist.
  func contents(_ name: String) -> String? { text(ofFile: folder.file(name)) }

  func start(_ arguments: [String], with changes: [String: String?] = [:]) throws -> Program {
    try start(Program.stressmon, arguments, with: changes)
  }

  /// Starts another program in the same environment.
  func start(
    _ program: String, _ arguments: [String], with changes: [String: String?] = [:]
  ) throws -> Program {
    try Program(program, arguments, environment: environment.merging(changes) { $1 })
  }

  /// Runs the program until it exits.
  func run(
    _ arguments: String..., input: String? = nil, with changes: [String: String?] = [:]
  ) throws -> Outcome {
    try start(arguments, with: changes).outcome(input: input)
  }

  /// Creates profiles.
  func add(profiles: String...) throws {
    for name in profiles { _ = try run("profile", "add", name) }
  }

  /// Runs a shell script in the home directory; `$stressmon` is the path of the program.
  func shell(_ script: String, with changes: [String: String?] = [:]) throws -> Outcome {
    let all = changes.merging(["stressmon": Program.stressmon]) { $1 }
    return try start("/bin/bash", ["-c", "cd \"$HOME\"; " + script], with: all).outcome()
  }
}

/// The exit status and the output of a run.
struct Outcome {
  let status: Program.Status
  let output: String
  let errors: String

  /// The lines of standard error without the summary of the session.
  var diagnostics: [String] {
    let lines = errors.split(separator: "\n").map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("Duration ") }),
      let end = lines[start...].firstIndex(where: { $0.hasPrefix("Next: ") })
    else { return lines }
    return Array(lines[..<start] + lines[(end + 1)...])
  }

  var lines: [String] { output.split(separator: "\n").map(String.init) }
  func json() throws -> [JSONValue] { try lines.json() }
}

extension Program {
  func outcome(input: String? = nil) throws -> Outcome {
    if let input { try type(input) }
    closeInput()
    let status = try waitForExit()
    return Outcome(status: status, output: standardOutput, errors: standardError)
  }

  /// Waits until standard output contains `text`, also in an incomplete line.
  func shows(_ text: String) -> Bool {
    holds {
      // Collects output while waiting; no line matches.
      _ = try? waitForLine(seconds: 0.05) { _ in false }
      return standardOutput.contains(text)
    }
  }

  /// Waits until standard output has `count` JSON lines of the type, and returns them.
  @discardableResult
  func wait(for count: Int, _ type: String) throws -> [JSONValue] {
    try waitForLines(count) { $0.hasPrefix("{\"type\":\"\(type)\"") }.json()
  }
}

func text(ofFile path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk[..<count]
  }
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
