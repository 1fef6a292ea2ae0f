import Glibc
import Platform
import UnixSignals

/// A signal that ended the run: SIGINT, SIGTERM or SIGHUP.
package struct Interruption: Error {
  package let signal: Int32

  package init(signal: Int32) { self.signal = signal }
}

/// Why a run ended.
package enum RunEnd: Equatable, Sendable {
  /// The work is complete: every source has ended.
  case finished
  /// The requested duration is over.
  case timeOver
  /// The user pressed the quit key.
  case quit
  case signal(Int32)
}

/// Runs `work` until it returns, `limit` is over, `quit` returns, or SIGINT, SIGTERM or SIGHUP arrives. Then cancels it and
/// waits until it has returned.
package func runUntilInterrupted(
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
    return try await waitForCancelled(&group, end: first)
  }
}

/// Waits for the cancelled tasks. An error of the work is thrown; cancellation is not an error.
private func waitForCancelled(
  _ group: inout ThrowingTaskGroup<RunEnd, any Error>, end: RunEnd
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
