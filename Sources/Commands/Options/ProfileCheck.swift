import Glibc
import History
import Localization
import Terminal

/// Checks a name given on the command line against the profiles of the history, so that a typing error neither creates a
/// profile nor shows an empty result.
struct ProfileCheck {
  /// The profiles of the history; empty while nothing is stored.
  let known: [String]

  /// - Throws: ``HistoryError`` if the history cannot be read.
  init(_ location: StoreLocation) throws(HistoryError) {
    known = try HistoryReader(location)?.profiles() ?? []
  }

  init(known: [String]) { self.known = known }

  /// The error for a name that is not a profile; nil for a profile, and while nothing is stored.
  func unknown(_ name: String) -> CommandFailure? {
    guard !known.isEmpty, !known.contains(name) else { return nil }
    return Self.unknown(name, known)
  }

  /// - Parameter asOption: whether the name is the value of `--profile`, and not an argument.
  static func unknown(_ name: String, _ known: [String], asOption: Bool = true) -> CommandFailure {
    let option = asOption ? "--profile " : ""
    let (shown, listing) = (name.printable, "stressmon profile list")
    guard let nearest = NearestName.of(name, among: known).map({ option + $0.shellWord }) else {
      return CommandFailure(
        .failed, Phrase("there is no profile '\(shown)'. List the profiles with: \(listing)"))
    }
    return CommandFailure(.failed, Phrase("there is no profile '\(shown)'. Did you mean: \(nearest)"))
  }

  /// Requests confirmation on a terminal before a command creates the profile `name`. Elsewhere, and if `interactive` is
  /// false, prints a notice. Does nothing for an existing profile, and before the first session is stored.
  /// - Throws: ``CommandFailure`` unless the creation is confirmed.
  func confirmCreation(of name: String, interactive: Bool) throws(CommandFailure) {
    guard !known.isEmpty, !known.contains(name) else { return }
    guard interactive, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      return printDiagnostic(notice(of: name))
    }
    printDiagnostic("Create profile '\(name.printable)'? You have: \(list) [y/N]")
    guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
      throw CommandFailure(
        .failed,
        Phrase(
          "no profile was created. Choose one with --profile, for example: \("--profile \(nearest(name))")"))
    }
  }

  func notice(of name: String) -> String {
    "stressmon: creating the new profile '\(name.printable)'; existing profiles: \(list)"
  }

  private func nearest(_ name: String) -> String {
    (NearestName.of(name, among: known) ?? known[0]).shellWord
  }

  private var list: String {
    let shown = known.prefix(8).map(\.printable).joined(separator: ", ")
    return known.count > 8 ? "\(shown) and \(known.count - 8) more" : shown
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789_-.".unicodeScalars.contains($0)
    }
    return isPlain && !isEmpty
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
