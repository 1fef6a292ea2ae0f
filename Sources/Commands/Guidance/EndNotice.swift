import Desktop
import Glibc
import Localization
import Platform
import Terminal

/// Posts a desktop notification at the end of an exercise, because the eyes may be closed.
///
/// The notification contains no values: desktops store notifications, and show them on locked screens. A failure to post is
/// printed only with `--notify`, and does not change the exit status.
struct EndNotice {
  let environment: ProcessEnvironment
  let style: TerminalStyle
  /// The value of `--notify`; nil for the default.
  let isWanted: Bool?
  /// Whether the exercise was shown in the screen view, in real time.
  let wasOnScreen: Bool

  func post(_ summary: Phrase) {
    guard isWanted ?? (wasOnScreen && isDesktop) else { return }
    do throws(DesktopError) {
      guard let sessionBus else { throw DesktopError(reason: "there is no session bus") }
      try DesktopNotification(
        summary: style.localized(summary), body: style.localized("The result is shown in the terminal."),
        sound: "complete"
      ).post(at: sessionBus, within: .seconds(1))
    } catch {
      if isWanted == true { printDiagnostic("stressmon: no notification on the desktop: \(error)") }
    }
  }

  /// Whether the session has a display. A bus without a display can belong to a remote login.
  private var isDesktop: Bool { environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil }

  /// The address of the session bus as libdbus determines it, except that no bus is launched; nil if there is no bus.
  private var sessionBus: String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], unsafe access(folder + "/bus", F_OK) == 0 else {
      return nil
    }
    return "unix:path=\(folder)/bus"
  }
}

extension GuidanceOptions {
  /// - Parameters:
  ///   - form: the display of the exercise.
  ///   - speed: the speed of its time, 1 for real time; nil for the maximum.
  func endNotice(
    _ environment: ProcessEnvironment, _ style: TerminalStyle, _ form: GuideDisplay.Form, speed: Double?
  ) -> EndNotice {
    let isOnScreen = if case .screen = form { true } else { false }
    return EndNotice(
      environment: environment, style: style, isWanted: notify, wasOnScreen: isOnScreen && speed == 1)
  }
}
