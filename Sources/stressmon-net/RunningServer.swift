import Glibc
import JSONLines
import Platform
import SystemPackage

/// The URL of a running server, in a file (mode 0600) that the server removes when it ends.
struct RunningServer {
  let url: String
  let port: Int
  let process: pid_t

  private static func folder(_ environment: ProcessEnvironment) -> String {
    environment.runtimeFolder + "/serve"
  }

  private static func path(_ environment: ProcessEnvironment, _ port: Int) -> String {
    "\(folder(environment))/\(port).json"
  }

  /// Creates the file. Replaces that of a server that was killed.
  func publish(_ environment: ProcessEnvironment) throws(FileError) {
    try Folder.create(Self.folder(environment))
    let file = try NewFile(path: Self.path(environment, port), replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    var line = JSONLine()
    line.line { line in
      line.put("url", url)
      line.put("port", port)
      line.put("pid", Int(process))
    }
    try file.write(line.bytes)
    try file.commit()
  }

  func withdraw(_ environment: ProcessEnvironment) { unsafe unlink(Self.path(environment, port)) }

  /// The server at `port`, or the one that started last; nil if none is running.
  static func find(_ environment: ProcessEnvironment, port: Int?) throws(FileError) -> RunningServer? {
    let folder = folder(environment)
    let names = port.map { ["\($0).json"] } ?? Folder.names(in: folder).filter { $0.hasSuffix(".json") }
    var newest: (server: RunningServer, started: Int)?
    for name in names {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard unsafe stat(path, &status) == 0, let server = try RunningServer(path), server.isRunning else {
        continue
      }
      let started = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      if newest.map({ started > $0.started }) ?? true { newest = (server, started) }
    }
    return newest?.server
  }

  private var isRunning: Bool { kill(process, 0) == 0 }

  init(url: String, port: Int, process: pid_t) { (self.url, self.port, self.process) = (url, port, process) }

  private init?(_ path: String) throws(FileError) {
    guard let bytes = try ByteSource(path: path).readAll(limit: 4096), let object = try? JSONObject(bytes),
      let url = object["url"].flatMap(object.string), let port = object["port"].flatMap(object.double),
      let process = object["pid"].flatMap(object.double)
    else { return nil }
    self.init(url: url, port: Int(port), process: pid_t(process))
  }
}
