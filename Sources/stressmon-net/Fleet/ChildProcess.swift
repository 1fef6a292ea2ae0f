import Fleet
import Glibc
import Localization

/// A program that runs with the standard streams of this process.
struct ChildProcess {
  private let identifier: pid_t

  /// Starts `program`. SIGINT and SIGTERM have their default actions in it.
  init(_ program: String, _ arguments: [String]) throws(FleetError) {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&defaults, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var vector = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe vector.indices { unsafe free(vector[index]) } }
    var process = pid_t()
    let error = unsafe posix_spawn(&process, program, nil, &attributes, &vector, unsafe environ)
    guard error == 0 else {
      throw FleetError(.local, Phrase("cannot run \(program): \(unsafe String(cString: strerror(error)))"))
    }
    identifier = process
  }

  /// Waits for the end, and forwards the first signal of `signals`.
  /// - Returns: The exit code; 128 and the number of the signal that ended the program.
  func wait(forwarding signals: SignalListener) -> Int32 {
    var status: CInt = 0
    var isForwarded = false
    while unsafe waitpid(identifier, &status, WNOHANG) == 0 {
      if let number = signals.received, !isForwarded {
        kill(identifier, number)
        isForwarded = true
      }
      usleep(20_000)
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
