import Desktop
import Dispatch
import Glibc
import HeartRate
import Localization
import NetworkCommands
import Platform
import Terminal

extension ProcessEnvironment {
  /// Whether the session of the user has a display. A bus without a display can belong to a remote login.
  var hasDisplay: Bool { self["WAYLAND_DISPLAY"] != nil || self["DISPLAY"] != nil }

  /// The address of the session bus as libdbus determines it, except that no bus is launched.
  var sessionBus: String? {
    if let address = self["DBUS_SESSION_BUS_ADDRESS"] { return address }
    guard let folder = self["XDG_RUNTIME_DIR"], unsafe access(folder + "/bus", F_OK) == 0 else { return nil }
    return "unix:path=\(folder)/bus"
  }

  /// Posts notifications with buttons, if there is a session bus.
  var notificationActions: NotificationActions? { sessionBus.map { NotificationActions(address: $0) } }

  /// Posts a notification on the desktop; waits for at most a second.
  func post(_ notification: DesktopNotification) throws(DesktopError) {
    guard let sessionBus else { throw DesktopError(reason: "there is no session bus") }
    try notification.post(at: sessionBus, within: .seconds(1))
  }

  /// Posts a warning of a low battery on the desktop, once per run. Requires a display.
  ///
  /// A run can have many sessions, such as repeated readings. A failure to post is ignored, because the displays of the
  /// session show the warning as well.
  var batteryNotification: (@Sendable (BatteryLevel) -> Void)? {
    guard hasDisplay else { return nil }
    let warning = LowBatteryNotification(environment: self)
    return { warning.post($0) }
  }
}

/// The notification of a low battery, at most one.
private final class LowBatteryNotification: Sendable {
  private let environment: ProcessEnvironment
  private let wasPosted = Locked(false)

  init(environment: ProcessEnvironment) { self.environment = environment }

  /// Returns at once; the desktop can be slow.
  func post(_ level: BatteryLevel) {
    let isFirst = wasPosted.withLock { posted in
      defer { posted = true }
      return !posted
    }
    guard isFirst else { return }
    let style = environment.style(isTerminal: false)
    let notification = DesktopNotification(
      summary: style.localized("The strap's battery is low (\(level.percent) %)."),
      body: style.localized("Replace it before long sessions."))
    DispatchQueue.global().async { [environment] in try? environment.post(notification) }
  }
}

extension ProcessEnvironment {
  /// `phrase` in the language and the character set of the environment.
  func text(_ phrase: Phrase) -> String { style(isTerminal: false).localized(phrase) }

  /// The style that the environment selects, without options and configuration.
  func style(isTerminal: Bool) -> TerminalStyle {
    var style = TerminalStyle(environment: variables, isTerminal: isTerminal)
    style.language = ProcessLanguage.language
    return style
  }
}

extension TerminalStyle {
  /// Text without colour in the language and the character set of the process.
  static var ofProcess: TerminalStyle {
    TerminalStyle(
      colours: .none, unicode: !ProcessLanguage.isASCII, language: ProcessLanguage.language)
  }
}
