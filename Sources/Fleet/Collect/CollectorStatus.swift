internal import Platform

/// Counts of a collector since its start, and its state.
package struct CollectorStatus: Equatable, Sendable {
  /// Messages that wait in the stream, of the partitions of this collector.
  package var lag = 0
  package var batches = 0
  package var messages = 0
  package var redeliveries = 0
  package var rejected = 0
  /// Sessions of erased participants, counted once per batch.
  package var erased = 0
  /// Messages of a later format, counted at each delivery.
  package var newerFormat = 0
  package var events = 0
  /// Rows of results: beats, measurements, gaps, marks and changes of the link.
  package var rows = 0
  package var failures = 0
  /// The partitions of this collector, ascending.
  package var partitions: [Int] = []
  /// The latest error; nil while everything works.
  package var error: String?

  package init() {}
}

/// A status that the threads of a collector share.
final class SharedStatus: Sendable {
  private struct State {
    var status = CollectorStatus()
    var lags: [Int: Int] = [:]
    var errors: [Int: (text: String, end: Int64)] = [:]
  }

  private let state = Locked(State())

  var current: CollectorStatus {
    state.withLock { state in
      var status = state.status
      status.lag = state.lags.values.reduce(0, +)
      status.partitions = state.lags.keys.sorted()
      let now = SystemClock.boot
      status.error = state.errors.filter { $0.value.end > now }.min { $0.key < $1.key }?.value.text
      return status
    }
  }

  func update(_ body: (inout CollectorStatus) -> Void) { state.withLock { body(&$0.status) } }

  func set(lag: Int?, of partition: Int) { state.withLock { $0.lags[partition] = lag } }

  /// - Parameters:
  ///   - source: The partition; -1 for the collector itself. The error of the lowest source is reported.
  ///   - duration: The time in ns after which the error has ended; nil for one that ends with the next call.
  func set(error: String?, of source: Int, for duration: Int64? = nil) {
    state.withLock { state in
      if error != nil, state.errors[source]?.text != error { state.status.failures += 1 }
      state.errors[source] = error.map { ($0, duration.map { SystemClock.boot + $0 } ?? .max) }
    }
  }
}
