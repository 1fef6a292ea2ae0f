import Glibc
import TestSupport
import Testing

/// Two machines with one folder: `stressmon sync` with real homes, histories and keys.
@Suite(.ownThreads) struct SyncTests {
  private let shared: TemporaryFolder
  private let one: Home
  private let two: Home
  private var vault: String { shared.file("vault") }
  private var passphrase: [String] { ["--passphrase-file", shared.file("passphrase")] }

  init() throws {
    shared = try TemporaryFolder(prefix: "vault")
    try shared.write("correct horse battery\n", to: "passphrase")
    chmod(shared.file("passphrase"), 0o600)
    (one, two) = (try Home(), try Home())
  }

  private func session(_ home: Home, seed: Int) throws {
    let quick = ["--simulate", "--speed", "max", "--duration", "90"]
    #expect(try home.start(["live", "--seed", "\(seed)"] + quick).outcome().status == .exited(0))
  }

  @discardableResult
  private func sync(_ home: Home, _ arguments: [String], status: CInt = 0) throws -> Outcome {
    let outcome = try home.start(["sync"] + arguments).outcome()
    #expect(outcome.status == .exited(status), "\(arguments): \(outcome.output) \(outcome.errors)")
    return outcome
  }

  /// Creates the vault on the first machine and returns the recovery key.
  @discardableResult
  private func initialize() throws -> String {
    let outcome = try sync(one, ["init", vault, "--name", "one", "--yes"] + passphrase)
    let line = try #require(outcome.lines.first { $0.hasPrefix("Recovery key") })
    return String(try #require(line.split(separator: " ").last))
  }

  private func join(_ home: Home, name: String = "two") throws {
    try sync(home, ["join", vault, "--name", name] + passphrase)
  }

  /// The rows of `history --json` without their numbers.
  private func history(_ home: Home) throws -> [String] {
    try home.run("history", "--json").lines.map { line in
      line.replacing(/^\{"id":\d+,/, with: "{").replacing(/"id":\d+,/, with: "")
    }
  }

  @Test func historiesBecomeEqual() throws {
    try session(one, seed: 1)
    try session(two, seed: 2)
    _ = try one.run("journal", "add", "--mood", "4", "--note", "before the meeting")
    try initialize()
    try join(two)
    try sync(one, [])
    #expect(try sync(two, []).errors.isEmpty)
    let rows = try history(one)
    #expect(!rows.isEmpty)
    #expect(try history(two) == rows)
    #expect(try two.run("journal", "list", "--json").output.contains("before the meeting"))
    let devices = try sync(one, ["devices", "--json"]).json()
    #expect(devices.compactMap { $0["name"]?.text } == ["one", "two"])
    let status = try #require(try sync(one, ["status", "--json"]).json().first)
    #expect(status["folder"]?.text.map { $0.hasSuffix("/vault") } == true)
    #expect(status["needs_passphrase"]?.bool == false)
    #expect(status["format"]?.number == 2)
    #expect(try sync(one, ["status"]).output.contains("2, all files are signed"))
    #expect(
      devices.allSatisfy { $0["format"]?.number == 2 && $0["device"]?.text?.hasSuffix("ed255") == true })
  }

  /// Only the reading of a session of `measure` is stored, on all machines, and also after an export and an import.
  @Test func readingsAreExchanged() throws {
    let reading = ["measure", "--simulate", "--speed", "max", "--seed", "5"]
    #expect(try one.start(reading).outcome().status == .exited(0))
    try session(one, seed: 1)
    try initialize()
    try join(two)
    let rows = try history(one)
    #expect(rows.count { $0.contains("\"reading\":true") } == 1 && rows.count > 2)
    #expect(try history(two) == rows)
    let three = try Home()
    let file = shared.file("all.jsonl")
    #expect(try one.run("export", "--format", "jsonl", "--output", file).status == .exited(0))
    #expect(try three.run("import", file).status == .exited(0))
    #expect(try history(three) == rows)
  }

  @Test func deletionsAreExchanged() throws {
    try session(one, seed: 1)
    try initialize()
    try join(two)
    #expect(try !history(two).isEmpty)
    let sentence = "The data are also deleted on your other devices"
    #expect(try two.run("delete", "--category", "relaxed", "--dry-run").output.contains(sentence) == false)
    #expect(try two.run("delete", "--all", "--dry-run").output.contains(sentence))
    #expect(try two.run("delete", "--all", "--yes").output.contains(sentence))
    try sync(two, [])
    try sync(one, [])
    #expect(try history(one).isEmpty)
    #expect(try one.shell("find '\(vault)' -name 's-*'").output.isEmpty)
  }

  @Test func secretsAreNeitherPrintedNorReadable() throws {
    let recoveryKey = try initialize()
    let keys = one.database + ".sync/keys"
    #expect(try one.shell("stat -c %a '\(keys)' \"$(dirname '\(keys)')\"").lines == ["600", "700"])
    let everything = try ["now", "status", "devices"].map { try sync(one, [$0, "--json"]).output }.joined()
    #expect(!everything.contains(recoveryKey.prefix(30)))
    #expect(try one.shell("grep -rl '\(recoveryKey.prefix(30))' '\(vault)'").output.isEmpty)
    #expect(try sync(one, ["recovery"] + passphrase).lines.last == recoveryKey)
    // The signing key is only in the history.
    let stored = try one.shell("grep -ahoE '\"signing_key\":\"[0-9a-f]{64}\"' '\(one.database)'*").lines
    let key = try #require(stored.first?.dropLast().suffix(64))
    #expect(!everything.contains(key))
    #expect(try one.shell("grep -rl '\(key)' '\(vault)'").output.isEmpty)
  }

  @Test func recoveryKeyReplacesThePassphrase() throws {
    try session(one, seed: 1)
    let recoveryKey = try initialize()
    try two.folder.write(recoveryKey + "\n", to: "key")
    chmod(two.file("key"), 0o600)
    try sync(two, ["join", vault, "--passphrase-file", two.file("key")])
    #expect(try history(two) == history(one))
  }

  @Test func wrongPassphraseChangesNothing() throws {
    try initialize()
    try two.folder.write("wrong\n", to: "wrong")
    chmod(two.file("wrong"), 0o600)
    let outcome = try sync(two, ["join", vault, "--passphrase-file", two.file("wrong")], status: 1)
    #expect(outcome.errors.contains("wrong passphrase"))
    #expect(!exists(two.database + ".sync/keys"))
    #expect(try sync(two, ["status"], status: 1).errors.contains("stressmon sync join FOLDER"))
    #expect(try sync(one, ["recovery", "--passphrase-file", two.file("wrong")], status: 1).output.isEmpty)
  }

  @Test func unusableFoldersAreErrors() throws {
    try session(one, seed: 1)
    try initialize()
    rename(vault, vault + "-away")
    #expect(try sync(one, [], status: 1).errors.contains("contains no stressmon.json"))
    mkdir(vault, 0o700)
    #expect(try sync(one, [], status: 1).errors.contains("contains no stressmon.json"))
    #expect(try one.shell("ls -A '\(vault)'").output.isEmpty)
    #expect(try sync(one, ["status"], status: 1).errors.contains("contains no stressmon.json"))
    rmdir(vault)
    rename(vault + "-away", vault)
    #expect(try sync(one, ["status"]).output.contains("Last error:     \(vault) contains no"))
    try sync(one, [])
    #expect(try sync(one, ["status"]).output.contains("Pending:        nothing"))
  }

  @Test func forgedRecipientIsReported() throws {
    try session(one, seed: 1)
    try initialize()
    let before = try one.shell("cd '\(vault)' && find . -type f | sort | xargs sha256sum").output
    let description = try #require(text(ofFile: vault + "/stressmon.json"))
    let other = "age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg"
    try shared.write(description.replacing(/age1[a-z0-9]+/, with: other), to: "vault/stressmon.json")
    try session(one, seed: 2)
    #expect(try sync(one, [], status: 3).errors.contains("the file was forged"))
    #expect(try sync(one, ["status"], status: 3).errors.contains("the file was forged"))
    #expect(try sync(two, ["join", vault] + passphrase, status: 3).errors.contains("the file was forged"))
    try shared.write(description, to: "vault/stressmon.json")
    #expect(try one.shell("cd '\(vault)' && find . -type f | sort | xargs sha256sum").output == before)
    try sync(one, [])
  }

  @Test func forgottenDeviceReadsNothingNew() throws {
    try session(one, seed: 1)
    let recoveryKey = try initialize()
    try join(two)
    let three = try Home()
    try join(three, name: "three")
    try sync(one, [])
    let outcome = try sync(one, ["forget", "two", "--yes"] + passphrase)
    #expect(outcome.output.contains("Until now, two could read everything in the folder: 1 session"))
    try session(one, seed: 2)
    try sync(one, [])
    try sync(two, [])
    #expect(try history(two) != history(one))
    // The other device asks for the passphrase once.
    let status = try #require(try sync(three, ["status", "--json"]).json().first)
    #expect(status["needs_passphrase"]?.bool == true)
    #expect(try sync(three, []).errors.contains("is a new key"))
    #expect(try sync(three, ["join", vault] + passphrase).output.contains("1 new key read."))
    #expect(try history(three) == history(one))
    let devices = try sync(three, ["devices", "--json"]).json()
    #expect(devices.filter { $0["forgotten"]?.bool == true }.compactMap { $0["name"]?.text } == ["two"])
    #expect(try sync(one, ["recovery"] + passphrase).lines.last != recoveryKey)
  }

  /// A forgotten device deletes and changes everything. A machine that has not received the new key, with or without its file, does not
  /// pass that on.
  @Test(arguments: [true, false]) func forgottenDeviceChangesNothing(keyFileArrives: Bool) throws {
    for seed in 1...2 { try session(one, seed: seed) }
    _ = try one.run("journal", "add", "--mood", "4", "--note", "before the meeting")
    _ = try one.run("journal", "add", "--mood", "5", "--note", "after the meeting")
    try initialize()
    try join(two)
    let three = try Home()
    try join(three, name: "three")
    for home in [one, two, three, one] { try sync(home, []) }
    let rows = try history(one)
    let journal = try one.run("journal", "list", "--json").lines.map { $0.replacing(/"id":\d+,/, with: "") }
    #expect(rows.count > 2 && journal.count == 2)

    try sync(one, ["forget", "two", "--yes"] + passphrase)
    let hidden = shared.file("hidden")
    if !keyFileArrives { _ = try one.shell("mkdir '\(hidden)' && mv '\(vault)'/key-2-*.age '\(hidden)'") }
    _ = try two.run("journal", "edit", "1", "--note", "TAMPERED")
    _ = try two.run("journal", "add", "--note", "TAMPERED, TOO")
    try sync(two, [])
    let status = try sync(three, [])
    #expect(status.errors.contains("uses nothing new of the others") == keyFileArrives)
    #expect(try three.run("journal", "list").output.contains("TAMPERED") == !keyFileArrives)
    _ = try two.run("delete", "--all", "--yes")
    try sync(two, [])
    #expect(try sync(three, []).output.contains("erased") == !keyFileArrives)
    if !keyFileArrives { _ = try one.shell("mv '\(hidden)'/* '\(vault)'") }

    #expect(try sync(one, []).errors.contains("two ("))
    try sync(three, ["join", vault] + passphrase)
    for home in [one, three, one] { #expect(try !sync(home, []).output.contains("erased")) }
    for home in [one, three] {
      #expect(try history(home) == rows)
      let found = try home.run("journal", "list", "--json").lines.map { $0.replacing(/"id":\d+,/, with: "") }
      #expect(found.sorted() == journal.sorted())
    }
  }

  @Test func forgetNeedsLaterKeys() throws {
    try initialize()
    try join(two)
    let three = try Home()
    try join(three, name: "three")
    for home in [one, two, three] { try sync(home, []) }
    try sync(one, ["forget", "two", "--yes"] + passphrase)
    let outcome = try sync(three, ["forget", "one", "--yes"] + passphrase, status: 1)
    #expect(outcome.errors.contains("does not have the key of key-2-"))
    #expect(outcome.errors.contains("sync join"))
  }

  /// The operator of the folder adds any number of files.
  @Test func faultsAreGrouped() throws {
    try session(one, seed: 1)
    try initialize()
    _ = try one.shell("cd '\(vault)' && for i in $(seq 300); do echo x > junk-$i; echo x > j-$i.tmp; done")
    _ = try one.shell("cd '\(vault)'/*/ && for i in $(seq 10000300 10000500); do echo x > j-$i.age; done")
    let warnings = try sync(one, []).errors.split(separator: "\n")
    #expect(warnings.count == 2)
    #expect(
      warnings.contains { $0.contains("is not a file of stressmon") && $0.contains("(as are 599 others)") })
    #expect(
      warnings.contains { $0.contains("is incomplete or damaged") && $0.contains("(as are 200 others)") })
  }

  @Test func passphraseCanBeChanged() throws {
    try initialize()
    try shared.write("another\n", to: "new")
    chmod(shared.file("new"), 0o600)
    try sync(one, ["passphrase", "--new-passphrase-file", shared.file("new")] + passphrase)
    try sync(two, ["join", vault] + passphrase, status: 1)
    try sync(two, ["join", vault, "--passphrase-file", shared.file("new")])
    #expect(try sync(one, []).errors.isEmpty)
  }

  @Test func leavingKeepsTheHistory() throws {
    try session(one, seed: 1)
    try initialize()
    let rows = try history(one)
    // Without a terminal, there is no confirmation.
    #expect(try one.shell("setsid -w $stressmon sync leave").status == .exited(64))
    try sync(one, ["leave", "--yes"])
    #expect(!exists(one.database + ".sync"))
    #expect(try history(one) == rows)
    try sync(one, [], status: 1)
    try sync(one, ["join", vault] + passphrase)
    #expect(try history(one) == rows)
  }

  /// A machine that is killed at any time completes its sync later.
  @Test func killedSyncIsCompleted() throws {
    for seed in 1...3 { try session(one, seed: seed) }
    try initialize()
    for seed in 4...6 { try session(one, seed: seed) }
    for attempt in 0..<12 {
      let program = try one.start(["sync"])
      usleep(UInt32(attempt) * 25_000)
      program.signal(SIGKILL)
      _ = try program.waitForExit()
    }
    try sync(one, [])
    try join(two)
    #expect(try sync(two, []).errors == "")
    #expect(try history(two) == history(one))
    #expect(try one.shell("find '\(vault)' -name '*.new'").output.isEmpty)
  }

  @Test func watchExchangesAfterEachChange() throws {
    try initialize()
    try join(two)
    let watches = [try one.start(["sync", "--watch"]), try two.start(["sync", "--watch"])]
    try session(one, seed: 1)
    #expect(holds { (try? history(two).isEmpty) == false })
    for watch in watches {
      watch.signal(SIGTERM)
      #expect(try watch.waitForExit() == .signalled(SIGTERM))
    }
    #expect(try history(two) == history(one))
  }

  @Test func arguments() throws {
    #expect(try sync(one, ["init"], status: 64).errors.contains("stressmon sync init"))
    #expect(try sync(one, ["join", vault] + passphrase, status: 1).errors.contains(vault))
    #expect(
      try sync(one, ["init", shared.path, "--yes"] + passphrase, status: 1).errors.contains("empty folder"))
    try initialize()
    #expect(
      try sync(one, ["init", shared.file("other"), "--yes"] + passphrase, status: 1).errors.contains("leave"))
    #expect(try sync(two, ["init", vault, "--yes"] + passphrase, status: 1).errors.contains("sync join"))
    #expect(
      try sync(one, ["forget", "tablet", "--yes"] + passphrase, status: 1).errors.contains("sync devices"))
    #expect(try sync(one, ["forget", "one", "--yes"] + passphrase, status: 1).errors.contains("sync leave"))
  }

  /// Passphrases are typed without echo, and the recovery key is typed again.
  @Test(.enabled(if: TerminalWindow.isAvailable)) func secretsAreTyped() throws {
    let terminal = try TerminalWindow(one, columns: 160)
    let mode = try terminal.mode()
    try terminal.run("$stressmon sync init \(vault)")
    #expect(terminal.shows("New passphrase of the folder:"))
    try terminal.press("C-c")
    #expect(holds { (try? terminal.mode()) == mode })
    #expect(!exists(vault + "/stressmon.json"))
    try terminal.run("clear; $stressmon sync init \(vault)")
    #expect(terminal.shows("New passphrase of the folder:"))
    try terminal.run("typed words")
    #expect(terminal.shows("the passphrase has fewer than 12 characters"))
    try terminal.run("yes")
    #expect(terminal.shows("The same passphrase again:"))
    try terminal.run("typed words")
    #expect(terminal.shows("Type the recovery key again:"))
    let lines = terminal.lines
    #expect(!lines.joined().contains("typed words"))
    let key = try #require(lines.first { $0.hasPrefix("AGE-SECRET-KEY-1") })
    try terminal.run("something else")
    #expect(terminal.shows("This is another text."))
    try terminal.run(key.lowercased())
    #expect(terminal.shows("Exchanged with"))
    #expect(holds { (try? terminal.mode()) == mode })
  }

  /// Debian's age opens the files with the recovery key.
  @Test(.enabled(if: exists("/usr/bin/age"))) func ageOpensSessions() throws {
    try session(one, seed: 1)
    try initialize()
    let script = """
      $stressmon sync recovery --passphrase-file '\(shared.file("passphrase"))' > recovery-key.txt &&
      age -d -i recovery-key.txt '\(vault)'/*/s-*-0000.age
      """
    let lines = try one.shell("set -o pipefail; " + script).json()
    #expect(lines.first?["kind"]?.text == "session")
    #expect(lines.dropFirst().first?["session"] != nil)
    #expect(lines.contains { $0["type"]?.text == "notification" || $0["type"]?.text == "header" })
    #expect(lines.last?["padding"] != nil)
  }
}
