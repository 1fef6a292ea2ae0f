import TestSupport
import Testing

/// Completions as bash requests them, with the generated script.
@Suite(.ownThreads) struct CompletionTests {
  private static let script = """
    eval "$("$stressmon" --generate-completion-script bash)"
    stressmon() { "$stressmon" "$@"; }
    complete_words() {
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
      _stressmon stressmon "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
    }
    complete_words stressmon
    """

  private func candidates(_ home: Home, _ words: String) throws -> [String] {
    let outcome = try home.shell(Self.script + " " + words)
    #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes profiles, sessions, settings and their values, tokens, patterns and formats")
  func bash() throws {
    let home = try Home()
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    for name in ["anna", "ben b", "$(touch pwned)"] { _ = try home.run("profile", "add", name) }
    _ = try home.run("journal", "add", "--mood", "4", "--trigger", "coffee")
    let session = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    let profiles = ["me", "anna", "ben b", "$(touch pwned)"]
    #expect(try candidates(home, "live --profile ''") == profiles)
    #expect(try candidates(home, "profile delete an") == ["anna"])
    #expect(try candidates(home, "config set profile ''") == profiles)
    #expect(try candidates(home, "config set th") == ["theme"])
    #expect(try candidates(home, "config set hrv ''") == ["rmssd", "sdnn"])
    #expect(try candidates(home, "replay --session ''") == [session])
    #expect(try candidates(home, "export --profile anna --session ''").isEmpty)
    #expect(try candidates(home, "show ''").contains(session))
    #expect(try candidates(home, "compare ''").contains(session))
    #expect(try candidates(home, "journal add --trigger ''") == ["coffee"])
    _ = try home.run("serve", "token", "add", "obs", "--scope", "hr")
    #expect(try candidates(home, "serve token remove ''") == ["obs"])
    #expect(try candidates(home, "breathe --pattern b") == ["box"])
    #expect(try candidates(home, "live --activity wal") == ["walking"])
    #expect(try candidates(home, "export --format f") == ["fit"])
    #expect(!exists(home.file("pwned")))
  }

  @Test(
    "Completion creates no file and prints nothing without a history, or with one that cannot be read"
  )
  func withoutHistory() throws {
    let home = try Home()
    #expect(try candidates(home, "live --profile ''").isEmpty)
    #expect(try candidates(home, "show ''").isEmpty)
    #expect(!exists(home.file("data")) && !exists(home.file("config")))
    #expect(try candidates(home, "show --db /proc/none.db ''").isEmpty)
  }

  @Test("The completion scripts of bash, zsh and fish have valid syntax", arguments: ["bash", "zsh", "fish"])
  func syntax(shell: String) throws {
    let home = try Home()
    let check = try home.shell(
      """
      command -v \(shell) > /dev/null || exit 0
      "$stressmon" --generate-completion-script \(shell) > script && \(shell) -n script
      """)
    #expect(check.status == .exited(0), "\(check.errors)")
  }
}
