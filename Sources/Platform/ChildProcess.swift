package import Glibc
package import SystemPackage

/// A program that this process started, for synchronous code; asynchronous code uses swift-subprocess.
package struct ChildProcess {
  /// The process ID. Equals the ID of the process group if the program was started with `input`.
  package let identifier: pid_t

  /// Starts a program with the environment and the standard streams of this process, and with the default signals.
  /// - Parameter input: A descriptor for standard input. The program then runs in a new process group, and its standard output is
  ///   discarded. By default, it inherits both streams and the process group.
  package init(_ path: String, _ arguments: [String], input: CInt? = nil) throws(Errno) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var child: pid_t = 0
    let error = unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
    guard error == 0 else { throw Errno(rawValue: error) }
    identifier = child
  }

  /// The status of waitpid(2) after the program has ended. Does not wait.
  package func status() -> CInt? {
    var status: CInt = 0
    return unsafe waitpid(identifier, &status, WNOHANG) == 0 ? nil : status
  }
}
