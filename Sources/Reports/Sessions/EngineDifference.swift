import JSONLines
package import Localization
import Stress

/// The statement that a session is replayed with another engine version than the one that computed its live values.
///
/// A replay equals the live session bit for bit only for equal versions.
package struct EngineDifference: Equatable {
  /// The version that computed the live values, if the recording or session states it.
  package let recorded: Int?

  /// Fails if `recorded` is the version of this program.
  package init?(recorded: Int?) {
    guard recorded != StressEngine.version else { return nil }
    self.recorded = recorded
  }

  /// One line for people.
  package var phrase: Phrase {
    guard let recorded else {
      return Phrase(
        "Recorded without an engine version; replayed with engine \(StressEngine.version), so values can differ from the live ones."
      )
    }
    return Phrase(
      "Recorded with engine \(recorded), replayed with engine \(StressEngine.version): values can differ from the live ones."
    )
  }

  /// The `replay` line, the first line of the JSON output of a replay.
  package func json(session: String?, profile: String?) -> [UInt8] {
    var line = JSONLine()
    line.line {
      $0.put("type", "replay")
      $0.put("engine", StressEngine.version)
      $0.put("recorded_engine", recorded)
      if let session { $0.put("session", session) }
      if let profile { $0.put("profile", profile) }
    }
    return line.bytes
  }
}
