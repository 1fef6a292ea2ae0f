internal import Dispatch
internal import Glibc
internal import HeartRate
internal import Localization
internal import Platform

/// A status that the threads of a collector share.
final class SharedStatus: Sendable {
  /// The source of an error. Errors are shown in the order of the cases.
  enum ErrorSource: Hashable, Comparable {
    case collector
    case partition(Int)
    /// Messages of a later format in a partition.
    case newerFormat(Int)
  }

  /// What the thread of a partition waits for.
  enum Operation {
    case stream
    case transaction

    /// The error if it takes longer than ``longestOperation``.
    fileprivate var overdue: Phrase {
      switch self {
      case .stream:
        Phrase("NATS has not answered for more than 10 s; check that a majority of its servers runs")
      case .transaction:
        Phrase(
          "PostgreSQL has not committed a transaction for more than 10 s; check its standby and its locks")
      }
    }
  }

  private struct State {
    var status = CollectorStatus()
    var lags: [Int: Int] = [:]
    /// The time of the latest message of the participants whose sessions have not ended, in s since 1970, by partition.
    var received: [Int: [String: Int64]] = [:]
    var errors: [ErrorSource: Phrase] = [:]
    /// The latest operations that have not ended, with their start in ns of the boot clock, by partition.
    var operations: [Int: (operation: Operation, start: Int64)] = [:]

    /// The first error, or an operation that takes longer than ``longestOperation``.
    var error: Phrase? {
      if let error = errors.min(by: { $0.key < $1.key }) { return error.value }
      let limit = SystemClock.boot - longestOperation
      return operations.filter { $0.value.start < limit }.min { $0.key < $1.key }.map { partition, latest in
        Phrase("partition \(partition): \(latest.operation.overdue)")
      }
    }
  }

  /// In ns.
  private static let longestOperation: Int64 = 10_000_000_000

  private let state = Locked(State())

  /// The counts and the first error that has not ended.
  var current: CollectorStatus {
    state.withLock { state in
      var status = state.status
      status.lag = state.lags.values.reduce(0, +)
      status.partitions = state.lags.keys.sorted()
      status.error = state.error
      let oldest = Self.now - Self.longestSilence
      status.received = state.received.values.reduce(into: [:]) { $0.merge($1) { max($0, $1) } }
        .filter { $0.value >= oldest }
      return status
    }
  }

  func update(_ body: (inout CollectorStatus) -> Void) { state.withLock { body(&$0.status) } }

  /// Silence of this length counts as the end of a session, in s: a receiver that was removed never sends the end.
  private static let longestSilence: Int64 = 86_400

  private static var now: Int64 { SystemClock.wall.microseconds / 1_000_000 }

  /// Records the participants of stored messages.
  /// - Parameter ended: those whose session has ended.
  func received(_ participants: Set<String>, ended: Set<String>, in partition: Int) {
    let now = Self.now
    state.withLock { state in
      for participant in participants { state.received[partition, default: [:]][participant] = now }
      for participant in ended { state.received[partition]?[participant] = nil }
    }
  }

  /// - Parameter lag: Messages that wait in the stream. `nil` removes a partition that this collector no longer owns.
  func set(lag: Int?, of partition: Int) {
    state.withLock { state in
      state.lags[partition] = lag
      if lag == nil { state.received[partition] = nil }
    }
  }

  /// Changes the lag of a partition that this collector still owns.
  func update(lag: Int, of partition: Int) {
    state.withLock { if $0.lags[partition] != nil { $0.lags[partition] = lag } }
  }

  /// - Parameter error: The failure, or `nil` to report a success.
  func set(error: Phrase?, of source: ErrorSource) {
    state.withLock { state in
      if error != nil, state.errors[source] != error { state.status.failures += 1 }
      state.errors[source] = error
    }
  }

  /// An operation of a partition begins; the one before has ended.
  func begin(_ operation: Operation, of partition: Int) {
    state.withLock { $0.operations[partition] = (operation, SystemClock.boot) }
  }

  /// The last operation of a partition was completed or has failed.
  func end(_ partition: Int) { state.withLock { $0.operations[partition] = nil } }
}

/// Requests every two seconds how many messages wait for this collector, on its own thread: the threads of the partitions may
/// wait for PostgreSQL at that time.
final class LagObserver: Sendable {
  private let isStopped = Locked(false)

  init(_ stream: JetStream, _ status: SharedStatus) {
    DispatchQueue(label: "stressmon.lag").async { [self] in
      while !isStopped.withLock(\.self) {
        for partition in status.current.partitions where stream.isConnected {
          guard let state = try? stream.consumerState(PartitionWorker.consumer(partition)) else { break }
          status.update(lag: state.pending + state.unacknowledged, of: partition)
        }
        sleep(2)
      }
    }
  }

  /// Requests the end, which is reached within two seconds and one request.
  func stop() { isStopped.withLock { $0 = true } }
}
