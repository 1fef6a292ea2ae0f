internal import Glibc
package import HeartRate
internal import Platform

/// The right to measure for one profile, or from one strap: one live run at a time has it.
///
/// Held as `flock` on small files, in the folder of the history and in the runtime folder, whichever can be used:
/// the kernel lets go of it when the program dies, however it dies. What the files say is for people.
package final class MeasurementLock: Sendable {
  package enum Subject: Equatable, Sendable {
    case profile(String)
    case strap(StrapIdentity)
  }

  /// Who has it already.
  package struct Conflict: Error, Equatable, Sendable, CustomStringConvertible {
    package var subject: Subject
    /// Process id; absent when the holder could not write it (a full disk).
    package var pid: Int?
    package var since: WallTime?
    /// The profile that the holder measures for.
    package var profile: String?

    package var description: String {
      let what =
        switch subject {
        case .profile(let name): "profile '\(name)'"
        case .strap(let strap): "strap \(strap)"
        }
      let holder = pid.map { "process \($0)" } ?? "another stressmon"
      let profile = profile.map { " for profile '\($0)'" } ?? ""
      let since = since.map { " since \($0.rfc3339)" } ?? ""
      let remedy = pid.map { "End it with: kill -INT \($0)" } ?? "See which it is with: pgrep -a stressmon"
      return "\(what) is in use: \(holder) measures\(profile)\(since). \(remedy)"
    }
  }

  private let files: [CInt]

  /// False where no folder could hold the claim, so that nobody else sees it.
  package var isProtected: Bool { !files.isEmpty }

  /// MeasurementLocks `subject` for a run that measures for `profile`.
  /// - Throws: ``Conflict`` when another run has it. A folder that cannot be written is no error.
  package init(
    _ subject: Subject, profile: String, at location: StoreLocation, since: WallTime
  ) throws(Conflict) {
    let note = "\(getpid())\n\(since.rfc3339)\n\(profile)\n"
    var files: [CInt] = []
    for path in Self.paths(subject, location) {
      guard let file = Self.openFile(path) else { continue }
      // Both folders may be one: the second lock would meet the first.
      guard !files.contains(where: { Self.areSame($0, file) }) else {
        close(file)
        continue
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let refused = errno
        let holder = Conflict(subject, note: Self.contents(file))
        close(file)
        guard refused == EWOULDBLOCK else { continue }  // a file system without locks
        files.forEach(Self.release)
        throw holder
      }
      ftruncate(file, 0)
      _ = Array(note.utf8).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
      files.append(file)
    }
    self.files = files
  }

  deinit { files.forEach(Self.release) }

  /// The file stays, empty: unlinking it would let a third run claim a new file of the same name.
  private static func release(_ file: CInt) {
    ftruncate(file, 0)
    close(file)
  }

  /// A profile belongs to its history; a strap is the same whatever history is written.
  private static func paths(_ subject: Subject, _ location: StoreLocation) -> [String] {
    switch subject {
    case .profile(let name):
      let history = realpath(location.folder) + location.path.dropFirst(location.folder.utf8.count)
      let file = "/claim-" + digest("profile \(name) of \(history)")
      return [location.folder + file, location.runtimeFolder + file]
    case .strap(let strap):
      let file = "/claim-" + digest("strap \(strap.address)")
      return [location.dataFolder + file, location.runtimeFolder + file]
    }
  }

  private static func openFile(_ path: String) -> CInt? {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try? Folder.create(folder)
    guard isMine(folder) else { return nil }
    let writable = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if writable >= 0 { return writable }
    let readable = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)  // a lock needs no right to write
    return readable >= 0 ? readable : nil
  }

  /// In a folder of someone else, a claim would be theirs to give.
  private static func isMine(_ folder: String) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_uid == getuid()
  }

  private static func areSame(_ one: CInt, _ other: CInt) -> Bool {
    var (first, second) = (stat(), stat())
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  private static func contents(_ file: CInt) -> String {
    String(
      decoding: [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
        count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
      }, as: UTF8.self)
  }

  /// The folder's one name, however many links lead to it.
  private static func realpath(_ folder: String) -> String {
    guard let path = Glibc.realpath(folder, nil) else { return folder }
    defer { free(path) }
    return String(cString: path)
  }

  /// Any text as a file name: 64-bit FNV-1a (Fowler, Noll, Vo) in base 36.
  private static func digest(_ text: String) -> String {
    String(text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 36)
  }
}

extension MeasurementLock.Conflict {
  /// Reads the note that the holder left; any part of it may be missing.
  fileprivate init(_ subject: MeasurementLock.Subject, note: String) {
    let lines = note.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    self.subject = subject
    pid = lines.first.flatMap { Int($0) }
    since = lines.count > 1 ? WallTime(rfc3339: String(lines[1])) : nil
    profile = lines.count > 2 && !lines[2].isEmpty ? String(lines[2].dropLast()) : nil
  }
}
