import Session
import Stress

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
