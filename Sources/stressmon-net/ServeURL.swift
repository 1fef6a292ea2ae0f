import Platform

/// Prints the URL of the running server, for `stressmon serve url`.
struct ServeURL {
  /// nil for the server that started last.
  let port: Int?

  func run() {
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
