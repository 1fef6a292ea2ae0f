import ArgumentParser
import HeartRate
import History
import Terminal

/// The completions of option values and arguments that depend on the history or on the machine.
///
/// Each function reads the history read-only, creates no file, and returns no candidates if the history is missing or
/// cannot be read.
enum Completions {
  static let profiles = custom { $0.profiles }
  static let straps = custom { $0.straps }
  static let sessions = custom { $0.sessions }
  static let measurements = custom { $0.measurements }
  static let measurementsAndSessions = custom { $0.measurements + $0.sessions }
  static let sessionsAndFiles = custom { $0.sessions + $0.files }
  static let journalEntries = custom { $0.journalEntries }
  static let triggers = custom { $0.triggers }
  static let settingValues = custom { $0.settingValues }
  static let adapters = custom { _ in CompletionContext.adapters }
  static let patterns = CompletionKind.list(["4-7-8", "box", "coherent", "4-0-6-0"])
  static let days = CompletionKind.list(["today", "yesterday"])
  static let files = CompletionKind.file()

  private static func custom(
    _ candidates: @escaping @Sendable (CompletionContext) -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      candidates(CompletionContext(words, index: index, prefix: prefix)).map(literal)
    }
  }

  /// Quotes a candidate for the requesting shell. bash expands the words that `compgen -W` receives, so the name of a
  /// strap could otherwise run a command; zsh separates a description with a colon.
  private static func literal(_ candidate: String) -> String {
    let candidate = candidate.printable
    return switch CompletionShell.requesting {
    case .bash: escaped(candidate) { !isSafe($0) }
    case .zsh: escaped(candidate) { $0 == ":" || $0 == "\\" }
    default: candidate
    }
  }

  private static func escaped(_ text: String, where isSpecial: (Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.map { isSpecial($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "_@%+=:,./-".unicodeScalars.contains(scalar)
  }
}
