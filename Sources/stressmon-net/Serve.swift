import ArgumentParser
import Dashboard
import Glibc
import History
import JSONLines
import LiveFeed
import Logging
import Platform
import Stress

/// The web server.
struct Serve: AsyncParsableCommand {
  /// The program that users run; it replaces itself with this one.
  static let name = "stressmon serve"

  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: "stressmon",
    abstract: "Serve live values, history and API on this machine over HTTP.",
    discussion: """
      Listens on 127.0.0.1 and ::1 only. The first line of the output is the URL with its token; scripts send the token as \
      'Authorization: Bearer TOKEN'. Ctrl-C ends the server.
      Example: stressmon serve
      Example: stressmon serve --simulate                a simulated session, without a strap
      Example: stressmon serve token add obs --scope hr  a permanent token for one purpose
      Example: curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8077/hr
      """,
    version: programVersion, subcommands: [ServeToken.self, ServeURL.self])

  @Option(name: .long, help: "The port; 0 selects a free one.")
  var port = 8077

  @Flag(name: .long, help: "Start a simulated live session; without --db, in a temporary database.")
  var simulate = false

  @Flag(name: .customLong("read-only"), help: "Reject requests that change something.")
  var isReadOnly = false

  @Flag(name: .long, help: "Print the URL and the token as one JSON object.")
  var json = false

  @Option(name: .long, help: "The profile to show (default: the setting 'profile', else me).")
  var profile: String?

  @Option(name: .customLong("db"), help: "The database file (default: that of 'stressmon history').")
  var database: String?

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("'--port \(port)' is out of range: expected 0 to 65535. Example: --port 8080")
    }
  }

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    do {
      let signal = try await serve(ServeSetup(self))
      endProcess(with: signal)
    } catch {
      fail("\(error)")
    }
  }

  private func serve(_ setup: ServeSetup) async throws -> Int32 {
    let (token, hub) = (AccessToken(), FeedHub())
    try hub.start(FeedDirectory(setup.environment))
    let runner = ActivityRunner(setup.options.program)
    let server = DashboardServer(options: setup.options, token: token, hub: hub, runner: runner)
    let published = Locked<RunningServer?>(nil)
    defer { published.withLock { $0 }?.withdraw(setup.environment) }
    return try await server.run { port in
      let url = "http://127.0.0.1:\(port)/?token=\(token.text)"
      let running = RunningServer(url: url, port: port, process: getpid())
      try running.publish(setup.environment)
      published.withLock { $0 = running }
      announce(url, token, setup)
      if simulate { _ = runner.start(Activity(.live, isSimulated: true)) }
    }
  }

  private func announce(_ url: String, _ token: AccessToken, _ setup: ServeSetup) {
    if json {
      var line = JSONLine()
      line.line { line in
        line.put("url", url)
        line.put("token", token.text)
        if setup.isTemporary { line.put("database", setup.options.location.path) }
      }
      printLine(String(decoding: line.bytes.dropLast(), as: UTF8.self))
    } else {
      printLine(url)
      if setup.isTemporary { printLine("The simulated session is stored in \(setup.options.location.path).") }
    }
  }
}
