import Glibc
import Platform
import UnixSignals

/// The person or the system asked the program to end, by a signal.
struct Interruption: Error {
  let signal: Int32

  /// Ends the process by the same signal, so that whoever started it sees why (a shell reports 128 + signal:
  /// 130 for Ctrl-C).
  func endProcess() -> Never {
    Glibc.signal(signal, SIG_DFL)
    // Threads of the concurrency runtime have signals blocked: it would stay pending.
    var own = sigset_t()
    sigemptyset(&own)
    sigaddset(&own, signal)
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
    raise(signal)
    Glibc.exit(128 + signal)
  }
}

/// Why a limited run came to its end.
enum RunEnd: Equatable, Sendable {
  /// The work was done: the source has no more.
  case finished
  /// The time that was asked for is over.
  case timeOver
  /// The person ended it, by a key.
  case quit
  case signal(Int32)
}

/// Runs `work` until it is done, `limit` is over, `quit` returns, or SIGINT, SIGTERM or SIGHUP comes; then cancels it and
/// waits for it to put things in order.
func runUntilInterrupted(
  limit: Duration? = nil, until quit: (@Sendable () async -> Void)? = nil,
  _ work: @escaping @Sendable () async throws -> Void
) async throws -> RunEnd {
  let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
  return try await withThrowingTaskGroup(of: RunEnd.self) { group in
    group.addTask {
      try await work()
      return .finished
    }
    group.addTask {
      for await signal in signals {
        ServiceManager.current?.stopping()
        return .signal(signal.number)
      }
      try await Task.sleep(for: .seconds(.max / 4))
      return .finished
    }
    if let limit {
      group.addTask {
        try await Task.sleep(for: limit)
        return .timeOver
      }
    }
    if let quit {
      group.addTask {
        await quit()
        return .quit
      }
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), first != .finished else { return .finished }
    group.cancelAll()
    return try await afterwards(first, &group)
  }
}

/// Waits for the cancelled tasks. What the work throws in the end counts; that it was cancelled does not.
private func afterwards(
  _ end: RunEnd, _ group: inout ThrowingTaskGroup<RunEnd, any Error>
) async throws -> RunEnd {
  while let result = await group.nextResult() {
    if case .failure(let error) = result, !(error is CancellationError) { throw error }
  }
  return end
}

extension UnixSignal {
  fileprivate var number: Int32 {
    switch self {
    case .sigterm: SIGTERM
    case .sighup: SIGHUP
    default: SIGINT
    }
  }
}
