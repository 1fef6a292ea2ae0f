internal import Glibc
package import HeartRate
internal import Platform

/// An exclusive lock on a profile or a strap. At most one session measures it at a time.
///
/// The lock is `flock` on small files in the folder of the history and in the runtime folder, as far as these are usable. The
/// kernel releases it when the program ends in any way. The files contain the holder, for error messages.
package final class MeasurementLock: Sendable {
  package enum Subject: Equatable, Sendable {
    case profile(String)
    case strap(StrapIdentity)
  }

  /// The lock is held by another session.
  package struct Conflict: Error, Equatable, Sendable, CustomStringConvertible {
    package var subject: Subject
    /// Process ID of the holder. Unknown if the holder could not write it (full disk).
    package var pid: Int?
    package var since: WallTime?
    /// The profile that the holder measures.
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
      let remedy = pid.map { "End it with: kill -INT \($0)" } ?? "Find it with: pgrep -a stressmon"
      return "\(what) is in use: \(holder) measures\(profile)\(since). \(remedy)"
    }
  }

  private let files: [LockFile]

  /// False if no folder was usable: other programs then do not see the lock.
  package var isProtected: Bool { !files.isEmpty }

  /// Locks `subject` for a session of `profile`.
  /// - Throws: ``Conflict`` if another session holds the lock. A folder that is not writable is not an error.
  package init(
    _ subject: Subject, profile: String, at location: StoreLocation, since: WallTime
  ) throws(Conflict) {
    let note = "\(getpid())\n\(since.rfc3339)\n\(profile)\n"
    var files: [LockFile] = []
    for path in Self.paths(subject, location) {
      switch LockFile.lock(path, holding: files) {
      case .locked(let file):
        file.write(note)
        files.append(file)
      case .unusable: continue
      case .held(let note):
        for file in files { file.release() }
        throw Conflict(subject, note: note)
      }
    }
    self.files = files
  }

  deinit { for file in files { file.release() } }

  /// The lock of a profile is specific to a history; the lock of a strap applies to all histories.
  private static func paths(_ subject: Subject, _ location: StoreLocation) -> [String] {
    switch subject {
    case .profile(let name):
      let history = realpath(location.folder) + location.path.dropFirst(location.folder.utf8.count)
      let file = "/claim-" + digest("profile \(name) of \(history)")
      return [location.folder + file] + privateFolder(location).map { $0 + file }
    case .strap(let strap):
      let file = "/claim-" + digest("strap \(strap.address)")
      return [location.dataFolder + file] + privateFolder(location).map { $0 + file }
    }
  }

  /// The runtime folder; empty if it is accessible to another user, who could remove the lock.
  private static func privateFolder(_ location: StoreLocation) -> [String] {
    (try? Folder.createPrivate(location.runtimeFolder)) == nil ? [] : [location.runtimeFolder]
  }

  /// The path of the folder with all symbolic links resolved.
  private static func realpath(_ folder: String) -> String {
    guard let path = unsafe Glibc.realpath(folder, nil) else { return folder }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// A file name for any text: its 64-bit FNV-1a hash (Fowler, Noll, Vo) in base 36.
  private static func digest(_ text: String) -> String {
    String(text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 36)
  }
}

extension MeasurementLock.Conflict {
  /// Parses the content of the lock file, of which any part may be missing.
  fileprivate init(_ subject: MeasurementLock.Subject, note: String) {
    let lines = note.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    self.subject = subject
    pid = lines.first.flatMap { Int($0) }
    since = lines.count > 1 ? WallTime(rfc3339: String(lines[1])) : nil
    profile = lines.count > 2 && !lines[2].isEmpty ? String(lines[2].dropLast()) : nil
  }
}
