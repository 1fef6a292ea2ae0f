import Glibc
import Localization
import Platform

/// Runs a program for each event, with the JSON object in its standard input. One program runs at a time, for at most ten seconds.
package final class ProgramTransport: OutletTransport {
  /// In ns.
  static let timeLimit: Int64 = 10_000_000_000

  private let path: String
  private let arguments: [String]

  package init(path: String, arguments: [String]) { (self.path, self.arguments) = (path, arguments) }

  package func open() throws(OutletError) -> Bool {
    guard unsafe access(path, X_OK) == 0 else {
      throw OutletError(
        Phrase(
          """
          cannot run \(path): \(unsafe String(cString: strerror(errno))); make it executable with: chmod +x \(path)
          """)
      )
    }
    return true
  }

  package func send(_ message: EventEncoder.Message) throws(OutletError) -> Delivery {
    let (input, child, error) = Self.starting.withLock { _ in start() }
    guard error == 0 else { throw failure(error) }
    // An object fits into the buffer of a pipe (64 KiB), so this does not block. A program may ignore its input.
    _ = unsafe write(input, message.body + [UInt8(ascii: "\n")], message.body.count + 1)
    _ = Glibc.close(input)
    return wait(for: child)
  }

  /// A program that another thread starts meanwhile would inherit the pipe.
  private static let starting = Locked(())

  /// The writing end of the standard input of a new child, or an error.
  private func start() -> (input: CInt, child: pid_t, error: CInt) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return (-1, -1, errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (child, error) = spawn(input: ends[0])
    _ = Glibc.close(ends[0])
    if error != 0 { _ = Glibc.close(ends[1]) }
    return (ends[1], child, error)
  }

  package func close() {}

  private func failure(_ number: CInt) -> OutletError {
    OutletError(Phrase("cannot run \(path): \(unsafe String(cString: strerror(number)))"))
  }

  /// Starts the program in its own process group, with the default signals. Its output is discarded; errors go to standard error.
  private func spawn(input: CInt) -> (child: pid_t, error: CInt) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var child: pid_t = 0
    let error = unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
    return (child, error)
  }

  private func wait(for child: pid_t) -> Delivery {
    let deadline = SystemClock.boot + Self.timeLimit
    var status: CInt = 0
    while unsafe waitpid(child, &status, WNOHANG) == 0 {
      guard SystemClock.boot < deadline else {
        kill(-child, SIGKILL)
        _ = unsafe waitpid(child, &status, 0)
        return .dropped(
          OutletError(Phrase("\(path) did not end within \(Self.timeLimit / 1_000_000_000) s and was killed"))
        )
      }
      usleep(5_000)
    }
    guard status != 0 else { return .delivered }
    let end =
      status & 0x7F == 0
      ? Phrase("\(path) ended with the exit code \(status >> 8 & 0xFF)")
      : Phrase("\(path) was ended by signal \(status & 0x7F)")
    return .dropped(OutletError(Phrase("\(end); run it by hand with an event in its standard input")))
  }
}
