/// A device of Home Assistant: its identity, its topics, and what it announces.
///
/// No topic contains a wildcard, because each is derived from the escaped identity and from checked prefixes.
package struct MQTTDevice: Equatable, Sendable {
  package var identity: OutletIdentity
  /// The name of the device and of the person, which the broker stores. Without one, the device has no name of a person.
  package var name: String?
  /// The first level of the topics.
  package var base = "stressmon"
  package var discoveryPrefix = "homeassistant"
  /// Whether commands are announced as buttons and accepted.
  package var acceptsCommands = false
  /// The page that Home Assistant links to.
  package var page: String?
  /// Time between two states in s.
  package var interval = 10

  package init(identity: OutletIdentity) { self.identity = identity }

  /// Sets an option of the target. Returns false for an unknown option and an invalid value.
  mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "name" where !value.isEmpty && value.count <= 64: name = value
    case "base" where Self.isTopic(value): base = value
    case "discovery" where Self.isTopic(value): discoveryPrefix = value
    case "commands" where ["on", "off"].contains(value): acceptsCommands = value == "on"
    case "page" where value.hasPrefix("http://") || value.hasPrefix("https://"): page = value
    case "interval":
      guard let seconds = Int(value), (1...60).contains(seconds) else { return false }
      interval = seconds
    default: return false
    }
    return true
  }

  /// Whether a prefix of topics has no empty level and no wildcard.
  static func isTopic(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 256 && !text.contains { "+#\0".contains($0) }
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  /// Home Assistant publishes `online` here when it has started.
  var homeAssistantStatus: String { "\(discoveryPrefix)/status" }
  var config: String { "\(discoveryPrefix)/device/stressmon_\(identity.id)/config" }
  /// The live values; not retained.
  var state: String { topic("state") }
  /// `online` while the program is connected to the broker; `offline` is the Last Will.
  var status: String { topic("status") }
  /// `online` while the values of the strap are live.
  var link: String { topic("link") }
  /// What is known between sessions: battery, person, and whether a session runs.
  var properties: String { topic("device") }
  /// The values of the last night; not retained.
  var night: String { topic("night") }
  /// Commands to the program.
  var command: String { topic("command") }
  /// Messages between the programs that publish this device, which detect each other.
  var publisher: String { topic("publisher") }

  /// The topics that a broker keeps.
  var retainedTopics: [String] { [config, properties, link, status] }

  private func topic(_ name: String) -> String { "\(base)/\(identity.id)/\(name)" }

  /// The beginning of the IDs of entities: the device, or the person in lower-case letters and digits.
  var entityPrefix: String {
    guard let name else { return "stressmon" }
    let characters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let words = String(characters).split(separator: "_").joined(separator: "_")
    return words.isEmpty ? "stressmon_\(identity.id)" : "stressmon_\(words)"
  }
}

/// What a target can request from this program.
package enum OutletCommand: String, CaseIterable, Sendable {
  /// Marks the current time of the live session.
  case mark
  /// Starts a reading.
  case measure
  /// Starts a breathing exercise.
  case breathe

  /// The commands, for messages.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")
}
