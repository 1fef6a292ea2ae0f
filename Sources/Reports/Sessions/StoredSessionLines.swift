package import HeartRate
package import History
import LiveSession
import Stress

/// The lines of `live --json` of a stored session, with their numbers: equal to those of the live session if the version of
/// the engine is the same.
package struct StoredSessionLines {
  private var engine: StressEngine
  private var encoder: SessionLineEncoder
  /// Number of lines so far.
  package private(set) var count = 0

  package init(_ session: SessionInfo) {
    engine = StressEngine(settings: session.settings, baseline: session.baseline)
    encoder = SessionLineEncoder(session: session.id.text, profile: session.profile)
  }

  /// Processes the next event, and calls `body` with the number and the bytes, without the line feed, of each of its lines.
  package mutating func update(_ event: SessionEvent, _ body: (Int, [UInt8]) -> Void) {
    engine.process(event) { encoder.put($0) }
    var bytes: [UInt8] = []
    unsafe encoder.take { unsafe bytes += $0 }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      count += 1
      body(count, Array(line))
    }
  }
}
