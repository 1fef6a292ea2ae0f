import Glibc
import TestSupport
import Testing

/// A history that cannot be written never ends a session, and the data are preserved.
@Suite(.ownThreads) struct DiskFaultTests {
  private static let session =
    "\"$stressmon\" live --json --simulate --speed max --duration 90 > out 2> err; echo $?"

  /// Runs a session whose history fails throughout; returns the content of standard error.
  private func runWithoutHistory(
    _ home: Home, _ session: String = session, with changes: [String: String?] = [:]
  ) throws -> String {
    let outcome = try home.shell(session, with: changes)
    #expect(outcome.lines.last == "1")
    let errors = try #require(home.contents("err"))
    #expect(errors.contains("The data are kept in memory; retrying."))
    // Each measurement is printed, and a recording contains the complete session.
    let shown = try #require(home.contents("out"))
    #expect(shown.contains("\"type\":\"end\""))
    let rescue = try #require(
      errors.firstMatch(of: /saved to (\S+\.jsonl)\. Read the file with: stressmon analyze/)
    )
    .1
    let path = rescue.hasPrefix("/") ? String(rescue) : home.file(String(rescue))
    defer { unlink(path) }
    #expect(try home.run("replay", path, "--speed", "max", "--json").output == shown)
    return errors
  }

  @Test func aFolderThatCannotBeCreatedDoesNotEndTheSession() throws {
    let home = try Home()
    try home.folder.write("in the way", to: "data")
    let errors = try runWithoutHistory(home)
    #expect(errors.contains("cannot open the history \(home.database)"))
    #expect(errors.contains("Choose another file with --db PATH."))
    #expect(home.contents("data") == "in the way")
  }

  @Test(
    "A result that cannot be stored is printed, followed by the error",
    arguments: [
      ["measure"], ["measure", "--json"], ["breathe", "--cycles", "2"],
      ["breathe", "--json", "--cycles", "2"],
      ["calm", "--minutes", "0.5", "--plain"], ["live", "--duration", "60"],
      ["measure", "--every", "1h", "--count", "2", "--json"],
    ])
  func aResultThatCannotBeStored(command: [String]) throws {
    let home = try Home()
    let run = command + ["--simulate", "--speed", "max"]
    let expected = try Home().start(run).outcome()
    #expect(expected.status == .exited(0))
    try home.folder.write("in the way", to: "data")
    let line = (["\"$stressmon\""] + run).joined(separator: " ")
    // With both streams in one pipe, the order of the lines is visible.
    let outcome = try home.shell("\(line) > out 2> err; echo $?; \(line) 2>&1 | tail -n 1")
    #expect(outcome.lines.first == "1")
    let shown = try #require(home.contents("out"))
    // Without a stored reading, no other command can explain it.
    let lines = expected.lines.filter { !$0.hasPrefix("Next ") }
    #expect(shown.split(separator: "\n").count == lines.count, "\(shown)")
    let errors = try #require(home.contents("err"))
    #expect(errors.contains("cannot open the history \(home.database)"))
    #expect(errors.contains("stressmon-rescue-"))
    #expect(
      try #require(outcome.lines.last).contains(/stressmon analyze|was not stored/), "\(outcome.lines)"
    )
  }

  @Test func theRecordingIsReportedIfTheHistoryCannotBeWritten() throws {
    let home = try Home()
    try home.folder.write("in the way", to: "data")
    let outcome = try home.shell(
      "\"$stressmon\" record a.jsonl --simulate --speed max --duration 60")
    #expect(outcome.status == .exited(1))
    let (recorded, failed) = (
      outcome.errors.firstRange(of: "Recorded to"), outcome.errors.firstRange(of: "Not stored:")
    )
    #expect(try #require(recorded).lowerBound < #require(failed).lowerBound)
  }

  @Test func aReadOnlyFolderDoesNotEndTheSession() throws {
    let home = try Home()
    // Root can write to read-only folders, so the session runs as another user.
    let other = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    mkdir(home.file("data"), 0o555)
    if getuid() == 0 { for path in [home.path, home.file("data")] { chown(path, 65534, 65534) } }
    let errors = try runWithoutHistory(home, other + Self.session)
    #expect(errors.contains("permission denied"))
    #expect(errors.contains("ls -la"))
  }

  @Test func aReadOnlyDatabaseDoesNotEndTheSession() throws {
    let home = try Home()
    _ = try home.shell(Self.session)
    chmod(home.database, 0o400)
    let other = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    if getuid() == 0 { _ = try home.shell("chown -R 65534:65534 .") }
    let errors = try runWithoutHistory(home, other + Self.session)
    #expect(errors.contains(home.database))
    #expect(try home.run("history", "--sessions", "--json").lines.count == 1)
  }

  @Test(arguments: ["not a database\n", String(repeating: "\0", count: 8192)])
  func aFileThatIsNotADatabaseIsNotChanged(contents: String) throws {
    let home = try Home()
    let path = home.file("other.db")
    let script = try home.folder.write(contents.contains("\0") ? "" : contents, to: "other.db")
    if contents.contains("\0") { _ = try home.shell("head -c 8192 /dev/zero > \(script)") }
    let before = text(ofFile: path)
    let errors = try runWithoutHistory(home, with: ["STRESSMON_DB": path])
    #expect(errors.contains("the file is not an SQLite database"))
    #expect(text(ofFile: path) == before)
    let history = try home.run("history", with: ["STRESSMON_DB": path])
    #expect(history.status == .exited(1))
    #expect(history.errors.contains("the file is not an SQLite database"))
  }

  @Test func aDamagedDatabaseDoesNotEndTheSession() throws {
    let home = try Home()
    _ = try home.shell(Self.session)
    // Overwrites everything except the header.
    _ = try home.shell(
      "cd data/stressmon; rm -f *-wal *-shm; size=$(stat -c %s stressmon.db); "
        + "yes damage | head -c $((size - 200)) | dd of=stressmon.db bs=1 seek=200 conv=notrunc status=none")
    let errors = try runWithoutHistory(home)
    #expect(errors.contains("the file is damaged"))
    #expect(errors.contains(".recover"))
    let history = try home.run("history")
    #expect(history.status == .exited(1))
    #expect(history.errors.contains("the file is damaged"))
  }

  @Test func aDatabaseOfANewerVersionIsNotChanged() throws {
    let home = try Home()
    _ = try home.shell(Self.session)
    try Database(home.database).run("INSERT INTO grdb_migrations VALUES ('9 something new')")
    let errors = try runWithoutHistory(home)
    #expect(errors.contains("it was written by a newer stressmon and was not changed. Update stressmon"))
    #expect(try home.run("history").status == .exited(1))
    #expect(try Database(home.database).run("SELECT count(*) FROM session") == ["1"])
  }

  @Test func aDatabaseOfAnotherProgramIsNotChanged() throws {
    let home = try Home()
    let path = home.file("photos.db")
    try home.folder.write("", to: "photos.db")
    try Database(path).run("CREATE TABLE photo (name TEXT); INSERT INTO photo VALUES ('cat')")
    let errors = try runWithoutHistory(home, with: ["STRESSMON_DB": path])
    #expect(errors.contains("it is the database of another program and was not changed"))
    #expect(try Database(path).run("SELECT name FROM sqlite_master") == ["photo"])
  }

  @Test func aLockedDatabaseDoesNotEndTheSession() throws {
    let home = try Home()
    _ = try home.shell(Self.session)
    let other = try Database(home.database)
    try other.run("BEGIN IMMEDIATE")
    let errors = try runWithoutHistory(home)
    #expect(errors.contains("it is locked by another program"))
    try other.run("ROLLBACK")
    // Readers and the writer do not block each other.
    #expect(try home.run("history", "--sessions", "--json").lines.count == 1)
  }

  @Test func dataArePreservedWhileTheDatabaseIsLocked() throws {
    let home = try Home()
    _ = try home.shell(Self.session)
    let other = try Database(home.database)
    try other.run("BEGIN IMMEDIATE")
    let program = try home.start(["live", "--json", "--simulate", "--speed", "20"])
    try program.waitForLine(in: .errors) { $0.contains("it is locked by another program") }
    try other.run("ROLLBACK")
    try program.waitForLine(in: .errors) {
      $0 == "stressmon: the history is written again; no data are missing"
    }
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(live.status == .signalled(SIGINT))
    let session = try #require(live.json().first?["session"]?.text)
    #expect(try home.run("replay", "--session", session, "--speed", "max", "--json").output == live.output)
  }

  @Test func dataArePreservedWhileTheDatabaseIsMoved() throws {
    let home = try Home()
    let program = try home.start([
      "live", "--json", "--simulate", "--speed", "20", "--record", home.file("a.jsonl"),
    ])
    try program.wait(for: 40, "measurement")
    #expect(rename(home.file("data"), home.file("elsewhere")) == 0)
    try program.waitForLine(in: .errors) { $0.contains("removed or replaced") }
    #expect(rename(home.file("elsewhere"), home.file("data")) == 0)
    try program.waitForLine(in: .errors) { $0.contains("the history is written again") }
    program.signal(SIGINT)
    let live = try program.outcome()
    let session = try #require(live.json().first?["session"]?.text)
    #expect(try home.run("replay", "--session", session, "--speed", "max", "--json").output == live.output)
  }

  /// A file size limit simulates a full disk for this process only.
  @Test func aFileSizeLimitDoesNotEndTheSession() throws {
    let home = try Home()
    let outcome = try home.shell(
      "(ulimit -f 60; exec \"$stressmon\" live --json --simulate --speed 300 --duration 40m --record a.jsonl) | cat > out; "
        + "echo ${PIPESTATUS[0]}")
    // The failure is reported, and the session runs for its whole duration.
    #expect(outcome.lines.last == "1")
    #expect(try #require(home.contents("out")).contains("\"type\":\"end\""))
    #expect(outcome.errors.contains("no space left for a.jsonl"))
  }

  static let canMount = (try? Home().shell("unshare -rm mount -t tmpfs tmpfs /mnt"))?.status == .exited(0)

  @Test(.enabled(if: canMount, "needs a mount namespace of its own"))
  func dataArePreservedWhileTheDiskIsFull() throws {
    let home = try Home()
    try home.folder.write(
      """
      mkdir -p data/stressmon
      mount -t tmpfs -o size=64m tmpfs data/stressmon
      # 100 KiB are left. Without the filler there is room for all that a slow machine writes until it is through here.
      head -c 65436k /dev/zero > data/stressmon/filler
      "$stressmon" live --json --simulate --speed 60 --record data/stressmon/a.jsonl > out 2> err &
      for i in $(seq 600); do
        grep -q 'cannot write the history .*the disk is full' err && grep -q 'recording cannot be written: no space left' err && break
        sleep 0.1
      done
      rm data/stressmon/filler
      for i in $(seq 600); do
        grep -q "recording is written again" err && grep -q 'history is written again' err && break
        sleep 0.1
      done
      kill -INT $!
      wait $!
      echo $?
      "$stressmon" replay data/stressmon/a.jsonl --speed max --json | cmp - out && echo recorded
      id=$("$stressmon" history --sessions --json | sed 's/{"session":"\\([^"]*\\).*/\\1/')
      "$stressmon" replay --session $id --speed max --json | cmp - out && echo stored
      cat err >&2
      """, to: "script")
    let outcome = try home.shell("unshare -rm bash script")
    #expect(outcome.lines == ["130", "recorded", "stored"], "\(outcome.errors)")
  }

  @Test(
    "On a full disk, no command says that something is stored",
    .enabled(if: canMount, "needs a mount namespace of its own"),
    arguments: [
      ["morning"], ["breathe", "--before", "30s", "--cycles", "2"], ["live", "--duration", "90"],
      ["measure"], ["calm", "--minutes", "1"],
    ])
  func nothingIsStoredOnAFullDisk(command: [String]) throws {
    let home = try Home()
    try home.folder.write(
      """
      mkdir -p data/stressmon
      mount -t tmpfs -o size=2m tmpfs data/stressmon
      "$stressmon" profile add anna 2> /dev/null
      head -c 4m /dev/zero > data/stressmon/filler 2> /dev/null
      "$stressmon" \(command.joined(separator: " ")) --simulate --speed max
      echo $?
      "$stressmon" history --sessions --json
      """, to: "script")
    let outcome = try home.shell("unshare -rm bash script")
    #expect(outcome.lines.last == "1", "\(outcome.output)")
    #expect(outcome.errors.contains("the disk is full") && outcome.errors.contains("Not stored: "))
    let text = outcome.output + outcome.errors
    for claim in ["Stored", " is stored", "real strap", "exercises stored"] {
      #expect(!text.contains(claim), "\(claim): \(text)")
    }
    if command == ["morning"] {
      #expect(
        text.contains(
          "It is not stored and not added to the series: the history cannot be written (the disk is full)."))
    }
  }

  @Test(.enabled(if: canMount, "needs a mount namespace of its own"))
  func anOlderHistoryOnAReadOnlyDiskCanBeCopiedAndRead() throws {
    let home = try Home()
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    let before = try home.run("history", "--json").output
    try home.makeHistoryOlder()
    try home.folder.write(
      """
      mount --bind data data
      mount -o remount,ro,bind data
      "$stressmon" history
      echo $?
      "$stressmon" export --all --output copy.db && "$stressmon" history --json --db copy.db
      """, to: "script")
    let outcome = try home.shell("unshare -rm bash script")
    #expect(outcome.lines.first == "1" && outcome.errors.contains("it was written by an older stressmon"))
    #expect(outcome.errors.contains("stressmon export --db \(home.database) --all --output copy.db"))
    // Data that the first version did not store are absent.
    #expect(outcome.lines.dropFirst().count == before.split(separator: "\n").count)
  }

  @Test(.enabled(if: canMount, "needs a mount namespace of its own"))
  func aFullOrReadOnlyDiskLeavesARescueRecording() throws {
    let home = try Home()
    try home.folder.write(
      """
      mkdir -p data/stressmon
      mount -t tmpfs -o size=200k tmpfs data/stressmon
      "$stressmon" live --json --simulate --speed 300 --duration 20m > full.out 2> full.err
      echo $?
      umount data/stressmon
      mount -t tmpfs -o ro tmpfs data/stressmon
      "$stressmon" live --json --simulate --speed max --duration 90 > readonly.out 2> readonly.err
      echo $?
      """, to: "script")
    let outcome = try home.shell("unshare -rm bash script")
    #expect(outcome.lines == ["1", "1"], "\(outcome.errors)")
    for (name, words) in [("full", "the disk is full"), ("readonly", "is not writable")] {
      let errors = try #require(home.contents("\(name).err"))
      #expect(errors.contains(words), "\(errors)")
      let rescue = try #require(errors.firstMatch(of: /saved to (\S+\.jsonl)\./)).1
      let shown = try #require(home.contents("\(name).out"))
      let replayed = try home.run("replay", home.file(String(rescue)), "--speed", "max", "--json").output
      // The rescue recording omits data that were stored before the disk was full.
      #expect(name == "full" ? !replayed.isEmpty : replayed == shown)
    }
  }
}
