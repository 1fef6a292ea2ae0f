/// Counts of a collector since its start, and its state.
package struct CollectorStatus: Equatable, Sendable {
  /// Messages of the partitions of this collector that are not stored yet.
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
