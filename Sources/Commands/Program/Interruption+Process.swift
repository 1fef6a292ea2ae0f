import Glibc
import Session

extension Interruption {
  /// Ends the process with the signal, so that the parent process sees the cause (a shell reports 128 + signal: 130 for
  /// Ctrl-C).
  func endProcess() -> Never {
    Glibc.signal(signal, SIG_DFL)
    // Threads of the concurrency runtime block signals, so the signal would stay pending.
    var own = sigset_t()
    unsafe sigemptyset(&own)
    unsafe sigaddset(&own, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
    raise(signal)
    Glibc.exit(128 + signal)
  }
}
