import Desktop
import History
import LiveSession
import Localization
import Platform
import Reports
import Session
import Stress
import Subprocess
import Terminal

/// Shows the notices of live sessions on the desktop, and stores the answers that are given there.
///
/// Notifications contain no values, because desktops store them and show them on locked screens. The thread of the events never
/// waits for the bus. A desktop that does not show a notification is ignored: terminal and pages show every notice as well.
struct NoticeDelivery: Sendable {
  private let settings: NoticeSettings
  private let sound: SoundFeedback
  private let style: TerminalStyle
  private let context: CommandContext
  private let desktop: NotificationActions?

  init(_ context: CommandContext) {
    (settings, sound) = (context.configuration.noticeSettings, context.configuration.soundFeedback)
    (style, self.context) = (context.environment.style(isTerminal: false), context)
    desktop = settings == NoticeSettings() ? nil : context.environment.notificationActions
  }

  /// Removes open questions from the desktop.
  func end() { desktop?.end() }

  /// Lets the session report what the configuration selects.
  func add(to setup: inout SessionSetup) { setup = added(to: setup) }

  func added(to setup: SessionSetup) -> SessionSetup {
    var setup = setup
    setup.notices = settings
    if let desktop { setup.announce = { [self] in announce($0, of: $1, on: desktop) } }
    return setup
  }

  private func announce(
    _ notice: SessionNotice, of member: SessionMember, on desktop: NotificationActions
  ) {
    switch notice {
    case .prompt(let number, _):
      guard let store = member.setup.store else { return }
      let answers = PromptAnswers(
        number: number, profile: member.plan.profile, location: store,
        startExercise: member.setup.startExercise, style: style, context: context)
      desktop.post(answers.question, answers.actions) { answers.handle($0, on: desktop) }
    case .category:
      guard sound == .desktop else { return }
      post(
        context.titlePrefix(member.plan.profile) + style.localized("Your stress category has changed."),
        style.localized("The terminal and the page Now show the new one."), sound: "message", on: desktop)
    case .alarm(let condition):
      post(
        style.localized(NoticeText.alarm(condition, style)), member.plan.profile.asNotificationText,
        sound: "dialog-warning", on: desktop)
    }
  }

  private func post(_ summary: String, _ body: String, sound: String, on desktop: NotificationActions) {
    desktop.post(DesktopNotification(summary: summary, body: body, sound: sound), []) { _ in }
  }
}

extension CommandContext {
  /// The name of the person before a summary; empty for the person of commands without `--profile`.
  fileprivate func titlePrefix(_ profile: String) -> String {
    named(profile).map { $0.asNotificationText + ": " } ?? ""
  }
}

extension String {
  /// Text without the characters that some desktops interpret as markup.
  fileprivate var asNotificationText: String { printable.filter { !"<&".contains($0) } }
}

/// The question of one prompt on the desktop, and what follows each answer.
private struct PromptAnswers: Sendable {
  let number: Int64
  let profile: String
  let location: StoreLocation
  /// Starts an exercise on the live screen, if there is one.
  let startExercise: SessionSetup.StartExercise?
  let style: TerminalStyle
  let context: CommandContext

  var question: DesktopNotification {
    DesktopNotification(
      summary: title,
      body: style.localized("Your HRV has been below your usual range. You can also answer on the page Now."),
      sound: "message")
  }

  var actions: [NotificationActions.Action] {
    StressPrompt.Answer.allCases.map { ($0.rawValue, style.localized($0.label)) }
  }

  private var title: String {
    context.titlePrefix(profile) + style.localized("Stressed? By what?")
  }

  /// Stores the answer. The first answer of all places counts.
  func handle(_ answer: NotificationActions.Answer, on desktop: NotificationActions) {
    guard case .chosen(let key) = answer, let answer = StressPrompt.Answer(rawValue: key) else { return }
    do {
      guard let stored = try store(answer), let next = next(stored) else { return }
      if answer == .breathe, startExercise?() == true { return }
      Task {
        if await !open(next.page) { desktop.post(next.notification, []) { _ in } }
      }
    } catch {
      desktop.post(notStored(answer), []) { _ in }
    }
  }

  /// The prompt with the answer; nil if it was answered before, or deleted with its session.
  private func store(_ answer: StressPrompt.Answer) throws(HistoryError) -> StoredPrompt? {
    guard let prompt = try HistoryReader(location)?.prompt(number, of: profile),
      case .stored(let stored) = try HistoryWriter(location).answer(
        number, of: profile, answer, at: SystemClock.wall, entry: prompt.journalEntry())
    else { return nil }
    return stored
  }

  private func notStored(_ answer: StressPrompt.Answer) -> DesktopNotification {
    let command = "stressmon prompts answer \(answer.rawValue) --prompt \(number)\(option)"
    return DesktopNotification(
      summary: title, body: style.localized("Your answer was not stored. Answer with: \(command)"))
  }

  /// The option that selects the person in commands.
  private var option: String { context.profileOption(profile).asNotificationText }

  /// What the person can do after an answer: a page, and a notification for a machine without a running server.
  private func next(_ prompt: StoredPrompt) -> (page: String, notification: DesktopNotification)? {
    switch prompt.answer {
    case .yes?:
      prompt.entry.map { entry in
        let notification = DesktopNotification(
          summary: style.localized("Noted in the journal as entry \(entry)."),
          body: style.localized(
            "Add the cause on the page Journal, or with: \("stressmon journal edit \(entry)\(option) --trigger work")"
          )
        )
        return ("/journal/entries/\(entry)", notification)
      }
    case .breathe?:
      (
        "/calm",
        DesktopNotification(
          summary: style.localized("Breathe slowly for five minutes."),
          body: style.localized("Start on the page Breathe, or with: \("stressmon calm\(option)")"))
      )
    case .no?, .notToday?, nil: nil
    }
  }

  /// Opens a page of the person in the browser, if a server is running. The child process has its own session, because the browser
  /// can be this process and must survive Ctrl-C.
  private func open(_ page: String) async -> Bool {
    var options = PlatformOptions()
    options.createSession = true
    let result = try? await run(
      .name("env"),
      arguments: ["\(Folder.ofProgram)/stressmon", "serve", "open", page, "--profile", profile],
      platformOptions: options, output: .discarded, error: .discarded)
    return result?.terminationStatus.isSuccess ?? false
  }
}

/// Shows the notices of a session on standard output: a sentence, and the bell if it is a terminal.
struct NoticeDisplay: Sendable {
  let text: NoticeText
  var isOnTerminal = false

  init(_ text: NoticeText, isOnTerminal: Bool = false) {
    (self.text, self.isOnTerminal) = (text, isOnTerminal)
  }

  /// How long the screen shows a sentence.
  static let messageTime = Duration.seconds(60)
  private static let bell = "\u{7}"

  /// Prints a line.
  func print(_ notice: SessionNotice, to output: NonblockingOutput) throws {
    try ring(notice, output)
    if let sentence = text.sentence(notice) { try output.line(sentence) }
  }

  /// Shows a message on the live screen.
  func show(_ notice: SessionNotice, on screen: Screen) throws {
    try ring(notice, screen.output)
    guard let sentence = text.sentence(notice) else { return }
    screen.show(text: sentence, for: Self.messageTime)
    try screen.draw(always: true)
  }

  private func ring(_ notice: SessionNotice, _ output: NonblockingOutput) throws {
    if isOnTerminal, text.rings(notice) { try output.write(Self.bell) }
  }
}

/// How a change of category is signalled.
enum SoundFeedback: String, CaseIterable {
  case off
  /// The bell of the terminal that shows the session.
  case bell
  /// A notification of the desktop, with its sound.
  case desktop
}

extension Configuration {
  var soundFeedback: SoundFeedback { self[.sound].flatMap(SoundFeedback.init) ?? .off }

  /// What live sessions report besides their values.
  var noticeSettings: NoticeSettings {
    var settings = NoticeSettings()
    if self[.prompts] == "on" {
      let quiet = self[.quietHours].map { QuietHours($0) } ?? QuietHours.usual
      settings.prompts = NoticeSettings.Prompts(quiet: quiet)
    }
    settings.reportsCategory = soundFeedback != .off
    settings.alarms = self[.alarm].flatMap { AlarmCondition.list($0) } ?? []
    return settings
  }
}
