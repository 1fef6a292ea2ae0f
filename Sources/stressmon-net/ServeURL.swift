import Dashboard
import Glibc
import JSONLines
import Localization
import NetworkCommands
import Platform

/// URLs that admit a browser to the running server, for `stressmon serve url` and `stressmon serve open`.
struct ServeURL {
  /// The port of the server. By default, the server that started last is used.
  let port: Int?

  /// Prints a URL.
  func print(asJSON: Bool) {
    let (port, url) = make()
    guard asJSON else { return printLine(url) }
    var line = JSONLine()
    line.line { line in
      line.put("url", url)
      line.put("origin", try? PrivateHost(.current).origin(port: port))
    }
    printLine(String(decoding: line.bytes.dropLast(), as: UTF8.self))
  }

  /// Replaces this process with the program that opens a page in the browser of the desktop.
  func open(_ page: String, profile: String?) -> Never {
    let program = "xdg-open"
    let arguments: [String] = [program, make(page: page, profile: profile).url]
    // Not freed: the process is replaced, or ends with an error.
    var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
    unsafe execvp(program, &vector)
    guard errno == ENOENT else {
      unsafe fail(Phrase("\(program) cannot be run: \(String(cString: strerror(errno)))"))
    }
    fail(
      Phrase(
        "\(program) is not installed (package xdg-utils). Print the URL with: \("stressmon serve url")"))
  }

  /// Adds a login code, with which the URL admits one browser once.
  private func make(page: String = "/", profile: String? = nil) -> (port: Int, url: String) {
    do throws(FileError) {
      guard let running = try RunningServer.find(.current, port: port) else {
        fail(
          port.map {
            Phrase("no server is running at port \($0). Start one with: \("stressmon serve")")
          }
            ?? Phrase("no server is running. Start one with: \("stressmon serve")"))
      }
      return (running, Self.url(running, page: page, profile: profile, try LoginCodes(.current).add()))
    } catch {
      fail(error.message)
    }
  }

  static func url(
    _ port: Int, page: String = "/", profile: String? = nil, _ code: AccessToken
  ) -> String {
    let query = profile.map { "profile=\($0.percentEncoded)&" } ?? ""
    return "http://127.0.0.1:\(port)\(page)?\(query)code=\(code.text)"
  }
}
