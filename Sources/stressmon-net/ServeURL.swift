import ArgumentParser
import Platform

/// `stressmon serve url`.
struct ServeURL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "url", _superCommandName: Serve.name,
    abstract: "Print the URL of the running server, with its token.",
    discussion: "Example: xdg-open \"$(stressmon serve url)\"")

  @Option(name: .long, help: "The port of the server (default: the server that started last).")
  var port: Int?

  func run() throws {
    do throws(FileError) {
      guard let server = try RunningServer.find(.current, port: port) else {
        fail("no server is running. Start one with: stressmon serve")
      }
      printLine(server.url)
    } catch {
      fail(error.description)
    }
  }
}
