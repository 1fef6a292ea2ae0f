import History
import Reports
import Terminal

extension JournalEntry {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}

extension StoredMorning {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}

extension StoredBreathing {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}
