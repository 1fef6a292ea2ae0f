internal import Dispatch
internal import Glibc
internal import Platform

/// Requests every two seconds how many messages wait for this collector, on its own thread: the threads of the partitions may wait for
/// PostgreSQL at that time.
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
