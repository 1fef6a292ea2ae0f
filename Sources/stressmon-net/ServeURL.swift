import Dashboard
import JSONLines
import Localization
import NetworkCommands
import Platform

/// Prints a URL that admits a browser to the running server, for `stressmon serve url`.
struct ServeURL {
  /// The port of the server. By default, the server that started last is used.
  let port: Int?
  let isJSON: Bool

  func run() {
    do throws(FileError) {
      guard let port = try RunningServer.find(.current, port: port) else {
        fail(
          self.port.map {
            localized("no server is running at port \($0). Start one with: \("stressmon serve")")
          }
            ?? localized("no server is running. Start one with: \("stressmon serve")"))
      }
      let url = Self.url(port, try LoginCodes(.current).add())
      guard isJSON else { return printLine(url) }
      var line = JSONLine()
      line.line { line in
        line.put("url", url)
        line.put("origin", try? PrivateHost(.current).origin(port: port))
      }
      printLine(String(decoding: line.bytes.dropLast(), as: UTF8.self))
    } catch {
      fail(error.description)
    }
  }

  static func url(_ port: Int, _ code: AccessToken) -> String {
    "http://127.0.0.1:\(port)/?code=\(code.text)"
  }
}
