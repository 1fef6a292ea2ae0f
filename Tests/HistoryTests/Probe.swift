import Glibc
import Synchronization

@testable import History

/// A running `HistoryProbe` and its output.
final class Probe {
  let pid: pid_t
  private let output: CInt
  private var buffer: [UInt8] = []
  /// The status of `waitpid`; nil while the process runs.
  private var status: CInt?

  convenience init(_ arguments: String...) throws { try self.init(Self.path, arguments) }

  /// Runs `script` with the probe as `$0` in a separate mount namespace, in which it can mount disks.
  static func unshared(_ script: String, _ arguments: String...) throws -> Probe {
    try Probe("/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script, path] + arguments)
  }

  /// Whether this user can mount a disk in a namespace.
  static let canMount: Bool = {
    guard let probe = try? unshared("mount -t tmpfs none /mnt && echo yes") else { return false }
    defer { probe.wait() }
    return probe.line() == "yes"
  }()

  private init(_ program: String, _ arguments: [String]) throws {
    (pid, output) = try Self.spawning.withLock { _ in try Self.spawn(program, arguments) }
  }

  /// Held from the creation of a pipe until it is marked as close-on-exec, so that no other child inherits it.
  private static let spawning = Mutex(())

  private static func spawn(_ program: String, _ arguments: [String]) throws -> (pid_t, CInt) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw HistoryError(errno: errno, path: program, .open) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, nil, &words, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw HistoryError(errno: code, path: program, .open)
    }
    return (child, ends[0])
  }

  deinit {
    if status == nil { kill() }
    close(output)
  }

  /// The next line of its output; nil at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &bytes, bytes.count)
      guard count > 0 else { return nil }
      buffer += bytes[..<count]
    }
  }

  /// All remaining lines of its output.
  /// - Throws: ``ProbeFailure`` unless it ends with exit code 0.
  func lines() throws(ProbeFailure) -> [String] {
    var lines: [String] = []
    while let next = line() { lines.append(next) }
    let status = wait()
    guard status == 0 else { throw ProbeFailure(status: status, lines: lines) }
    return lines
  }

  func kill() {
    Glibc.kill(pid, SIGKILL)
    wait()
  }

  @discardableResult
  func wait() -> CInt {
    if let status { return status }
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    self.status = status
    return status
  }

  /// In the folder of the test program.
  private static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/HistoryProbe"
  }()
}

/// A probe that failed.
struct ProbeFailure: Error {
  /// The status of `waitpid`.
  let status: CInt
  let lines: [String]
}
