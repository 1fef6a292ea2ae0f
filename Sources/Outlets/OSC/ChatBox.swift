import LiveSession

/// The messages of VRChat's chat box, from a template.
///
/// VRChat shows a message for half a minute, has a limit of 144 characters and ignores the messages of a client that sends too
/// many of them, so a changed text is sent at most every two seconds, and an unchanged one again every ten.
/// https://docs.vrchat.com/docs/osc-as-input-controller
struct ChatBox {
  /// In ns.
  static let (leastInterval, refreshInterval): (Int64, Int64) = (2_000_000_000, 10_000_000_000)
  static let longestText = 144

  private let template: ValueTemplate
  private var text = ""
  private var sent = ""
  private var sentAt: Int64?

  init(_ template: ValueTemplate) { self.template = template }

  mutating func update(_ values: LiveValues) {
    text = values.isLive ? String(template.text(of: values).prefix(Self.longestText)) : ""
  }

  /// The time of the next message in ns. An empty text is sent once, to remove the earlier one.
  var nextDeadline: Int64? {
    if text != sent { return sentAt.map { $0 + Self.leastInterval } ?? 0 }
    return text.isEmpty ? nil : sentAt.map { $0 + Self.refreshInterval }
  }

  /// The message that is due at `now`: the text, `true` to show it at once, and `false` for no sound.
  mutating func due(at now: Int64) -> [OSCMessage] {
    guard let nextDeadline, now >= nextDeadline else { return [] }
    (sent, sentAt) = (text, now)
    return [OSCMessage("/chatbox/input", .string(text), .bool(true), .bool(false))]
  }

  /// Removes the text.
  mutating func closing() -> [OSCMessage] {
    text = ""
    return due(at: .max)
  }
}
