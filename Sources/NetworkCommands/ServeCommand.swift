package import ArgumentParser
import Localization
import Platform

/// `stressmon serve`.
package struct ServeCommand: NetworkCommand {
  static let name = "\(programName) serve"

  package static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: programName,
    abstract: localized(
      "Serve pages, live values and the history on this machine over HTTP (stressmon-net)."),
    discussion: localized(
      """
      Listens on 127.0.0.1 and ::1 only, and rejects connections of other users. The first line of the output is a URL that \
      admits one browser, once; 'stressmon serve url' prints another one. An admitted browser stays admitted until it is removed \
      on the page Settings. Scripts send the token that --json prints as 'Authorization: Bearer TOKEN'. Ctrl-C ends the server.
      """) + "\n"
      + examples(
        "stressmon serve",
        "stressmon serve --simulate                 " + localized("a simulated session, without a strap"),
        "stressmon serve token add obs --scope hr   " + localized("a permanent token for one purpose"),
        "curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8077/hr"),
    version: programVersion,
    subcommands: [ServeTokenCommand.self, ServeURLCommand.self, ServeOpenCommand.self])

  @OptionGroup var options: ServeOptions

  package init() {}

  package var request: NetworkRequest { .serve(options) }
}

/// The options of `serve`.
package struct ServeOptions: ParsableArguments, Sendable {
  /// The port without the option and without the setting.
  package static let usualPort = 8077

  @Option(
    name: .long,
    help: .localized("The port; 0 selects a free one (default: the setting 'serve-port', else 8077)."))
  package var port: Int?

  @Flag(
    name: .long, help: .localized("Start a simulated live session; without --db, in a temporary database."))
  package var simulate = false

  @Flag(name: .customLong("read-only"), help: .localized("Reject requests that change something."))
  package var isReadOnly = false

  @Flag(
    name: .long,
    help: .localized("Print the URL, the origin of the pages and a bearer token as one JSON object."))
  package var json = false

  @Flag(name: .long, help: .localized("Print one line for each request."))
  package var verbose = false

  @Option(
    name: .customLong("allow-user"),
    help: ArgumentHelp(
      localized("Accept connections of this user, too, such as that of a reverse proxy; may be repeated."),
      valueName: "name"))
  package var allowedUsers: [String] = []

  @Option(name: .long, help: .localized("The profile to show (default: the setting 'profile', else me)."))
  package var profile: String?

  @Option(
    name: .customLong("db"), help: .localized("The database file (default: that of 'stressmon history')."),
    completion: .file())
  package var database: String?

  /// Serves `/design` as well.
  @Flag(name: .long, help: .hidden)
  package var developer = false

  package init() {}

  package func validate() throws {
    if let port, !(0...65535).contains(port) {
      throw ValidationError(
        localized("'--port \(port)' is out of range: expected 0 to 65535. Example: --port 8080"))
    }
  }

  /// Rejects options that a subcommand does not use: the parser assigns those before and after its name to `serve`.
  /// - Parameter used: the options that the subcommand has as well.
  func requireUnused(except used: String...) throws {
    let given = [
      ("--port", port != nil), ("--simulate", simulate), ("--read-only", isReadOnly), ("--json", json),
      ("--verbose", verbose), ("--allow-user", !allowedUsers.isEmpty), ("--profile", profile != nil),
      ("--db", database != nil), ("--developer", developer),
    ]
    for (option, isGiven) in given where isGiven && !used.contains(option) {
      throw ValidationError(
        localized("'\(option)' has no effect on this subcommand of 'stressmon serve': omit it"))
    }
  }
}

/// `stressmon serve url`.
package struct ServeURLCommand: NetworkCommand {
  package static let configuration = CommandConfiguration(
    commandName: "url", _superCommandName: ServeCommand.name,
    abstract: localized("Print a URL that admits a browser, once."),
    discussion: examples("firefox \"$(stressmon serve url)\""))

  /// Receives the options, which 'serve' has, too.
  @ParentCommand var serve: ServeCommand

  @Option(name: .long, help: .localized("The port of the server (default: the server that started last)."))
  var port: Int?

  @Flag(name: .long, help: .localized("Print the URL and the origin of the pages as one JSON object."))
  var json = false

  package init() {}

  package func validate() throws { try serve.options.requireUnused(except: "--port", "--json") }

  package var request: NetworkRequest {
    .serverURL(port: port ?? serve.options.port, asJSON: json || serve.options.json)
  }
}

/// `stressmon serve open`.
package struct ServeOpenCommand: NetworkCommand {
  package static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: ServeCommand.name,
    abstract: localized("Open a page in the browser of the desktop."),
    discussion: examples("stressmon serve open", "stressmon serve open /breathe"))

  /// Receives the options, which 'serve' has, too.
  @ParentCommand var serve: ServeCommand

  @Argument(help: .localized("The path of the page."))
  var page = "/"

  @Option(name: .long, help: .localized("The profile that the page shows (default: that of the server)."))
  var profile: String?

  @Option(name: .long, help: .localized("The port of the server (default: the server that started last)."))
  var port: Int?

  package init() {}

  package func validate() throws {
    try serve.options.requireUnused(except: "--port", "--profile")
    guard page.hasPrefix("/"), page.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) })
    else {
      throw ValidationError(
        localized("'\(page)' is not the path of a page. Example: stressmon serve open /journal"))
    }
  }

  package var request: NetworkRequest {
    .openPage(page, profile: profile ?? serve.options.profile, port: port ?? serve.options.port)
  }
}
