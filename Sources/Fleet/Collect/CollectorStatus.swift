internal import JSONLines
package import Localization

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
  /// The time of the latest message of each participant with a running session, in s since 1970.
  package var received: [String: Int64] = [:]
  /// The latest error. Absent while everything works.
  package var error: Phrase?

  package init() {}
}

extension CollectorStatus {
  private var counts: [(name: String, value: Int, help: String, isGauge: Bool)] {
    [
      ("lag", lag, "Messages that are not stored yet, of the partitions of this collector.", true),
      ("batches", batches, "Committed transactions with messages.", false),
      ("messages", messages, "Received messages.", false),
      ("redeliveries", redeliveries, "Received messages that were delivered before.", false),
      ("rejected", rejected, "Messages that cannot be processed.", false),
      ("erased", erased, "Sessions of erased participants, once per batch.", false),
      ("newer_format", newerFormat, "Messages of a later version, once per delivery.", false),
      ("events", events, "Stored events.", false),
      ("rows", rows, "Stored rows of results.", false),
      ("failures", failures, "Errors that were retried.", false),
    ]
  }

  /// The line of `collect --json`, with its line feed.
  package func json(at time: String, study: String) -> [UInt8] {
    var line = JSONLine()
    line.line {
      $0.put("type", "health")
      $0.put("time", time)
      $0.put("study", study)
      for count in counts { $0.put(count.name, count.value) }
      $0.put("partitions", document: Array("[\(partitions.map(String.init).joined(separator: ","))]".utf8))
      $0.put("error", error.map { Language.english.text($0) })
    }
    return line.bytes
  }

  private func silence(_ study: String) -> String {
    guard !received.isEmpty else { return "" }
    let name = "stressmon_collect_participant_received_timestamp_seconds"
    let samples = received.sorted { $0.key < $1.key }.map { participant, time in
      "\(name){study=\"\(study)\",participant=\"\(participant)\"} \(time)\n"
    }
    return """
      # HELP \(name) Time of the latest message of a participant whose session has not ended.
      # TYPE \(name) gauge

      """ + samples.joined()
  }

  /// The metrics in the text format of Prometheus, version 0.0.4.
  package func prometheus(study: String) -> String {
    let owned = (
      name: "partitions", value: partitions.count, help: "Partitions of this collector.", isGauge: true
    )
    let failing = (
      name: "failing", value: error == nil ? 0 : 1, help: "1 while an error is reported.", isGauge: true
    )
    return silence(study)
      + (counts + [owned, failing]).map { count in
        let name = "stressmon_collect_\(count.name)" + (count.isGauge ? "" : "_total")
        return """
          # HELP \(name) \(count.help)
          # TYPE \(name) \(count.isGauge ? "gauge" : "counter")
          \(name){study="\(study)"} \(count.value)

          """
      }.joined()
  }
}
