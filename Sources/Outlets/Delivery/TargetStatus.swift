package import JSONLines
import LiveFeed
package import Localization

/// The state of a target, as `publish --list` shows it.
package struct TargetStatus: Equatable, Sendable {
  package enum State: String, Sendable {
    case connecting
    case connected
    /// The connection failed; another attempt follows.
    case retrying
    case closed
  }

  /// The target as the user wrote it.
  package var target: String
  package var state = State.connecting
  /// The latest failure, in JSON in English. Cleared by a delivery that follows it by at least 5 s.
  package var lastError: Phrase?
  /// Number of delivered messages.
  package var delivered = 0
  /// Number of messages and events that were not delivered.
  package var dropped = 0
  /// Number of messages without acknowledgement. Targets of live values do not report it.
  package var waiting: Int?
  /// Number of stored events that were not acknowledged, like ``waiting``.
  package var behind: Int?

  package init(target: String) { self.target = target }

  /// Adds the members of a JSON object.
  package func put(into line: inout JSONLine) {
    line.put("target", target)
    line.put("state", state.rawValue)
    line.put("last_error", lastError.map { Language.english.text($0) })
    line.put("delivered", delivered)
    line.put("dropped", dropped)
    if let waiting { line.put("waiting", waiting) }
    if let behind { line.put("behind", behind) }
  }

  /// Decodes an object that has a target and a state.
  package init?(_ object: JSONObject) {
    guard let target = object.text("target"),
      let state = object.text("state").flatMap(State.init(rawValue:))
    else { return nil }
    (self.target, self.state) = (target, state)
    lastError = object.text("last_error").map(Phrase.init(known:))
    delivered = object.integer("delivered") ?? 0
    dropped = object.integer("dropped") ?? 0
    waiting = object.integer("waiting")
    behind = object.integer("behind")
  }
}
