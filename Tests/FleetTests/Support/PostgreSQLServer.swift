import Glibc
import Platform
import TestSupport

@testable import Fleet

/// A PostgreSQL server in a temporary directory, reachable through a Unix socket only. It ends with the test process.
final class PostgreSQLServer: Sendable {
  static let programs = "/usr/lib/postgresql/15/bin"
  static let isInstalled = access("\(programs)/postgres", X_OK) == 0

  /// The server of all tests of the process; each test creates its own database.
  static let shared = Result { try PostgreSQLServer() }

  let folder: TemporaryFolder
  private let program: Locked<Program>

  init() throws {
    folder = try TemporaryFolder(prefix: "sm-pg")
    let asUser = getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups" : ""
    if getuid() == 0, let user = getpwnam("nobody") {
      chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid)
    }
    // The shell ends the server when the test process no longer holds its standard input.
    let script = """
      cd \(folder.path) && \(asUser) \(Self.programs)/initdb -D data -A trust -U postgres --no-sync -E UTF8 --locale=C >initdb.log 2>&1 || exit 1
      \(asUser) \(Self.programs)/postgres -D data -k \(folder.path) -c listen_addresses= -c fsync=off \
      -c max_connections=200 >server.log 2>&1 &
      echo started; cat >/dev/null; kill -INT $!; wait
      """
    let program = try Program("/bin/sh", ["-c", script])
    try program.waitForLine { $0 == "started" }
    self.program = Locked(program)
    _ = givenTime { seconds in
      for _ in 0..<(seconds * 20) {
        if (try? PostgreSQLConnection(url("postgres"))) != nil { return true }
        usleep(50_000)
      }
      return false
    } until: {
      $0
    }
  }

  func url(_ database: String, user: String = "postgres") throws -> PostgreSQLURL {
    try PostgreSQLURL("postgresql://\(user)@/\(database)?host=\(folder.path)")
  }

  /// A new empty database.
  func database(_ name: String = "d\(UInt32.random(in: 0 ... .max))") throws -> PostgreSQLURL {
    try PostgreSQLConnection(url("postgres")).execute("CREATE DATABASE \(name)")
    return try url(name)
  }
}
