import Dashboard
import Glibc
import History
import JSONLines
import LiveFeed
import Localization
import Logging
import NetworkCommands
import Platform
import Stress

/// Runs the web server until SIGINT or SIGTERM arrives.
struct Serve {
  let options: ServeOptions

  func run() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      endProcess(with: try await serve(ServeSetup(options)))
    } catch {
      fail(Phrase(describing: error))
    }
  }

  private func serve(_ setup: ServeSetup) async throws -> Int32 {
    let (token, hub) = (AccessToken(), FeedHub())
    try hub.start(FeedDirectory(setup.environment), database: setup.options.location.resolvedPath)
    let runner = ActivityRunner(setup.options.program)
    let server = DashboardServer(options: setup.options, token: token, hub: hub, runner: runner)
    let published = Locked<RunningServer?>(nil)
    defer { published.withLock { $0 }?.withdraw() }
    return try await server.run { port in
      let running = try RunningServer(port: port, setup.environment)
      published.withLock { $0 = running }
      announce(port, ServeURL.url(port, try setup.options.codes.add()), token, setup)
      if options.simulate { _ = runner.start(Activity(.live, isSimulated: true)) }
    }
  }

  private func announce(_ port: Int, _ url: String, _ token: AccessToken, _ setup: ServeSetup) {
    if options.json {
      var line = JSONLine()
      line.line { line in
        line.put("url", url)
        line.put("origin", setup.options.host.origin(port: port))
        line.put("token", token.text)
        if setup.isTemporary { line.put("database", setup.options.location.path) }
      }
      printLine(String(decoding: line.bytes.dropLast(), as: UTF8.self))
    } else {
      printLine(url)
      if setup.isTemporary {
        printLine(localized("The simulated session is stored in \(setup.options.location.path)."))
      }
    }
  }
}
