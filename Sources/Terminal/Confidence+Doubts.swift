import Stress

extension Confidence {
  /// What lowers it enough to be told, the weightiest first.
  var doubts: [(factor: Factor, value: Double)] {
    known.filter { $0.value < 0.995 }.sorted { $0.value < $1.value }
  }
}
