import Glibc

/// A nats-server on this machine with JetStream and the mapping of subjects that the fleet requires.
///
/// Data and log are in a temporary directory. The port remains the same after ``restart()``. Deinitialisation kills the process.
package final class NatsServer {
  package static let program = "/usr/sbin/nats-server"
  package static var isInstalled: Bool { access(program, X_OK) == 0 }

  package static let mapping = """
    mappings = { "lab.*.*.*.*": "lab.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}.{{wildcard(4)}}.{{partition(8,1,3)}}" }
    """

  package private(set) var port = 0
  package let folder: TemporaryFolder
  private var configuration = ""
  private var process: Program?

  /// Starts the server.
  /// - Parameters:
  ///   - options: Lines that are appended to the configuration, for example users.
  ///   - mapping: The line with the mapping of subjects.
  ///   - files: The content of files in the folder of the configuration, by name.
  package init(
    options: String = "", mapping: String = NatsServer.mapping, files: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder(prefix: "nats")
    for (name, content) in files { try folder.write(content, to: name) }
    try startOnUnusedPort(
      """
      jetstream { store_dir: "\(folder.file("store"))" }
      log_file: "\(folder.file("log"))"
      \(mapping)
      \(options)
      """)
  }

  /// Tries other ports if a server of another test got the port first.
  private func startOnUnusedPort(_ settings: String) throws {
    for isLast in [false, false, false, true] {
      port = try Self.unusedPort()
      configuration = try folder.write("listen: \"127.0.0.1:\(port)\"\n" + settings, to: "nats.conf")
      do {
        return try start()
      } catch {
        guard !isLast, log.contains("address already in use") else { throw error }
        try folder.write("", to: "log")
      }
    }
  }

  package var url: String { "nats://127.0.0.1:\(port)" }

  /// Kills the process (SIGKILL).
  package func stop() { process = nil }

  /// Waits until the server accepts connections.
  package func start() throws {
    let process = try Program(Self.program, ["-c", configuration])
    self.process = process
    let deadline = monotonicSeconds() + Program.patience
    while !isListening {
      guard process.status == nil, monotonicSeconds() < deadline else {
        throw SystemCallError("start \(Self.program): \(log)", code: ETIMEDOUT)
      }
      _ = try? process.waitForExit(seconds: 0.02)
    }
  }

  package func restart() throws {
    stop()
    try start()
  }

  /// Restarts the server without its streams.
  package func erase() throws {
    stop()
    guard rename(folder.file("store"), folder.file("erased")) == 0 else { throw SystemCallError("rename") }
    try start()
  }

  /// Sends a signal: SIGCONT after ``pause()``, or SIGHUP to read the configuration.
  package func signal(_ number: CInt) { process?.signal(number) }

  /// Stops the server without closing its connections, which remain without answers until SIGCONT.
  package func pause() { process?.pause() }

  package var log: String {
    String(decoding: (try? contents(of: folder.file("log"))) ?? [], as: UTF8.self)
  }

  private var isListening: Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return Self.withAddress(port) { connect(descriptor, $0, $1) } == 0
  }

  /// A port that was not in use at the time of the call, below those that Linux gives to outgoing connections: a connection of another
  /// test could otherwise get it before the server starts.
  private static func unusedPort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<32_768)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      if withAddress(port, { bind(descriptor, $0, $1) }) == 0 { return port }
    }
    throw SystemCallError("bind")
  }

  private static func withAddress<Result>(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
