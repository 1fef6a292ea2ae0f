internal import Glibc
internal import Localization
internal import Platform
internal import SystemPackage

/// The users of nats-server (Packaging/fleet/users.conf), with one line per receiver.
///
/// Other lines, such as those of collectors, remain as they are. A lock on the folder excludes other processes during a change.
package struct UsersFile {
  private let path: String

  package static let defaultPath = "/etc/stressmon/fleet/users.conf"

  package init(path: String) { self.path = path }

  /// Adds the receiver of an invitation.
  /// - Throws: ``FleetError`` with the code `usage` if the receiver has a user already.
  package func add(_ invitation: Invitation) throws(FleetError) {
    let study = invitation.study
    try change { lines throws(FleetError) in
      guard !lines.contains(where: { Self.isUser($0, invitation.receiver, study) }) else {
        throw FleetError(
          .usage,
          Phrase(
            """
            the receiver \(invitation.receiver) of \(study) has been invited already; to replace its key, first type: \
            stressmon collect revoke \(invitation.receiver)
            """))
      }
      guard let end = lines.lastIndex(where: { Self.trimmed($0) == "]" }) else {
        throw FleetError(
          .usage, Phrase("\(path) has no line ']' at the end of its users; copy it from the examples again"))
      }
      lines.insert(Self.line(invitation), at: end)
    }
  }

  /// Removes the user of a receiver.
  /// - Throws: ``FleetError`` with the code `usage` if the receiver has no user.
  package func remove(_ receiver: FleetCode, study: FleetCode) throws(FleetError) {
    try change { lines throws(FleetError) in
      let count = lines.count
      lines.removeAll { Self.isUser($0, receiver, study) }
      guard lines.count < count else {
        throw FleetError(.usage, Phrase("\(path) contains no receiver \(receiver) of the study \(study)"))
      }
    }
  }

  /// The user of an invitation, which can publish and receive with its own name only.
  static func line(_ invitation: Invitation) -> String {
    let user = invitation.user
    let publish = ["lab.\(user).*.*", "lab.\(user).*.*.*", "$JS.API.STREAM.INFO.fleet-\(invitation.study)"]
    let lists = [publish, [inbox(user), "resend.\(user)"]].map { subjects in
      "[ \(subjects.map { "\"\($0)\"" }.joined(separator: ", ")) ]"
    }
    return "  { nkey: \(invitation.publicKey), permissions { publish: \(lists[0]), subscribe: \(lists[1]) } }"
  }

  private static func inbox(_ user: String) -> String { "_INBOX.receiver.\(user).>" }

  /// Whether a line is that of a receiver: users with keys and with passwords contain the subject of its inbox.
  private static func isUser(_ line: String, _ receiver: FleetCode, _ study: FleetCode) -> Bool {
    !trimmed(line).hasPrefix("#") && line.contains("\"\(inbox(Invitation.user(receiver, study: study)))\"")
  }

  private static func trimmed(_ line: String) -> Substring {
    let start = line.drop(while: \.isWhitespace)
    return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
  }

  private func change(
    _ body: (inout [String]) throws(FleetError) -> Void
  ) throws(FleetError) {
    let lock = unsafe open(Folder.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    // A file system without locks returns an error.
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    var lines = try reading { () throws(FileError) in
      String(decoding: try ByteSource(path: path).readAll(limit: 16 << 20) ?? [], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    try body(&lines)
    try reading { () throws(FileError) in try write(lines.joined(separator: "\n")) }
  }

  /// Replaces the file by one of the same owner and mode: nats-server reads it as another user.
  private func write(_ text: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError(errno: errno, path: path) }
    let file = try NewFile(path: path, replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    do throws(FileError) {
      try file.write(Array(text.utf8))
      guard fchown(file.descriptor.rawValue, status.st_uid, status.st_gid) == 0,
        fchmod(file.descriptor.rawValue, status.st_mode & 0o777) == 0
      else { throw FileError(errno: errno, path: path) }
      try file.sync()
      try file.commit()
    } catch {
      file.remove()
      throw error
    }
  }

  private func reading<Value>(_ body: () throws(FileError) -> Value) throws(FleetError) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw FleetError(
        .local,
        Phrase(
          """
          cannot change the users of nats-server: \(error); use sudo, or name the file with --users FILE
          """))
    }
  }
}
