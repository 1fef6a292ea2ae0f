import Desktop
import Glibc
import Localization
import Platform
import Terminal

/// Says on the desktop that an exercise is over, to a person who may have closed their eyes.
///
/// Without any value: desktops keep what they are told, and show it on locked screens. That it could not be said is no reason
/// to fail, and is told only where it was asked for.
struct EndNotice {
  let environment: ProcessEnvironment
  let style: TerminalStyle
  /// Nil where nothing was said about it.
  let isWanted: Bool?
  /// Whether the exercise was led on a screen, at the speed of life.
  let wasOnScreen: Bool

  func post(_ summary: Phrase) {
    guard isWanted ?? (wasOnScreen && isDesktop) else { return }
    do throws(DesktopError) {
      guard let sessionBus else { throw DesktopError(reason: "there is no session bus") }
      try DesktopNotification(
        summary: style.localized(summary), body: style.localized("What it came to stands in the terminal."),
        sound: "complete"
      ).post(at: sessionBus, within: .seconds(1))
    } catch {
      if isWanted == true { printDiagnostic("stressmon: no notification on the desktop: \(error)") }
    }
  }

  /// A bus alone may be that of a login from afar.
  private var isDesktop: Bool { environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil }

  /// Where libdbus would look for it, but without starting a bus where there is none.
  private var sessionBus: String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], access(folder + "/bus", F_OK) == 0 else { return nil }
    return "unix:path=\(folder)/bus"
  }
}

extension GuidanceOptions {
  /// - Parameters:
  ///   - form: how the exercise was shown.
  ///   - speed: how fast its time passed; nil for as fast as it goes.
  func endNotice(
    _ environment: ProcessEnvironment, _ style: TerminalStyle, _ form: GuideDisplay.Form, speed: Double?
  ) -> EndNotice {
    let isOnScreen = if case .screen = form { true } else { false }
    return EndNotice(
      environment: environment, style: style, isWanted: notify, wasOnScreen: isOnScreen && speed == 1)
  }
}
