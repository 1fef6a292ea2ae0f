internal import Crypto
internal import Glibc
internal import JSONLines
internal import Localization
package import Platform
internal import SystemPackage

/// The lab's file of the participants: code, pseudonym and private key of each, as lines of JSON. It is the only place that
/// connects codes with pseudonyms, and belongs to no backup.
///
/// A change writes a new file (mode 0600, synchronized) in place of the old one, then overwrites and removes the old one. A
/// crash leaves the old file or the new one; the next change finishes the erasure.
package struct ParticipantKeyFile: Sendable {
  fileprivate struct Entry {
    var study: FleetCode
    var code: FleetCode
    var pseudonym: Pseudonym
    var key: Curve25519.KeyAgreement.PrivateKey

    var ticket: ParticipantTicket { ParticipantTicket(pseudonym, key.publicKey) }
  }

  /// Distinguishes a file from the one that replaces it.
  struct Version: Equatable {
    var inode: UInt64
    var seconds: Int
    var nanoseconds: Int
  }

  package let path: String
  private static let limit = 64 << 20

  package init(path: String) { self.path = path }

  /// `participants.keys` in the folder of the settings.
  package static func defaultPath(_ environment: ProcessEnvironment) -> String {
    Participants.defaultPath(environment) + ".keys"
  }

  /// The version of the file, if it exists.
  var version: Version? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Version(
      inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }

  /// The private keys by pseudonym; empty if the file does not exist.
  func keys(of study: FleetCode) throws(FleetError) -> [FleetCode: Curve25519.KeyAgreement.PrivateKey] {
    let own = try entries().filter { $0.study == study }
    return Dictionary(own.map { ($0.pseudonym.code, $0.key) }) { first, _ in first }
  }

  /// The codes under which the data of a participant are stored: the pseudonym, if there is one, and the code itself, under
  /// which receivers without a ticket publish.
  package func storedCodes(of code: FleetCode, in study: FleetCode) throws(FleetError) -> [FleetCode] {
    let code = try self.code(of: code, in: study)
    let own = try entries().filter { $0.study == study && $0.code == code }
    return own.map(\.pseudonym.code) + [code]
  }

  /// The code of a pseudonym; other codes unchanged.
  package func code(of code: FleetCode, in study: FleetCode) throws(FleetError) -> FleetCode {
    try entries().first { $0.study == study && $0.pseudonym.code == code }?.code ?? code
  }

  /// The ticket of a participant. Creates pseudonym and key the first time.
  package func admit(_ code: FleetCode, to study: FleetCode) throws(FleetError) -> ParticipantTicket {
    try change { entries in
      if let known = entries.first(where: { $0.study == study && $0.code == code }) { return known.ticket }
      entries.append(
        Entry(study: study, code: code, pseudonym: Pseudonym(), key: Curve25519.KeyAgreement.PrivateKey()))
      return entries[entries.count - 1].ticket
    }
  }

  /// Completes the erasure of keys that a crash interrupted.
  package func finishErasure() throws(FleetError) {
    guard unsafe access(oldPath, F_OK) == 0 else { return }
    try change { _ in }
  }

  /// Destroys the key of a participant and the connection between code and pseudonym.
  package func forget(_ code: FleetCode, of study: FleetCode) throws(FleetError) {
    guard version != nil else { return }
    try change { $0.removeAll { $0.study == study && $0.code == code } }
  }
}

/// Reading and replacing the file.
extension ParticipantKeyFile {
  private func entries() throws(FleetError) -> [Entry] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw unreadable(FileError(errno: errno, path: path)) }
      return []
    }
    guard status.st_mode & 0o077 == 0 else {
      throw FleetError(
        .usage, Phrase("other users can read the keys of the participants; type: chmod 600 \(path)"))
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try ByteSource(path: path).readAll(limit: Self.limit) ?? []
    } catch {
      throw unreadable(error)
    }
    var entries: [Entry] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let entry = Entry(Array(line)) else {
        throw FleetError(
          .local,
          Phrase(
            """
            \(path), line \(number + 1) is not a participant; copy the file again from the machine where stressmon collect \
            admit wrote it
            """))
      }
      entries.append(entry)
    }
    return entries
  }

  private func change<Value>(_ body: (inout [Entry]) -> Value) throws(FleetError) -> Value {
    do throws(FileError) {
      try Folder.create(Folder.parent(of: path))
    } catch {
      throw unchanged(error)
    }
    let lock = unsafe open(Folder.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    // A file system without locks returns an error.
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    var entries = try entries()
    let value = body(&entries)
    do throws(FileError) {
      try replace(by: entries.flatMap(\.line))
    } catch {
      throw unchanged(error)
    }
    return value
  }

  /// The name of the old file until it is overwritten.
  private var oldPath: String { path + ".old" }

  private func replace(by bytes: [UInt8]) throws(FileError) {
    try eraseOld()
    let file = try NewFile(path: path, replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    do throws(FileError) {
      try file.write(bytes)
      try file.sync()
      // The second name keeps the old content reachable until it is overwritten, also after a crash.
      if version != nil, unsafe link(path, oldPath) != 0 { throw FileError(errno: errno, path: oldPath) }
      try file.commit()
    } catch {
      file.remove()
      throw error
    }
    try eraseOld()
  }

  /// Overwrites the file that was replaced, and removes it. A crash before the replacement leaves a second name of the
  /// current file, of which only the name is removed.
  private func eraseOld() throws(FileError) {
    var (old, current) = (stat(), stat())
    guard unsafe stat(oldPath, &old) == 0 else { return }
    let isCurrent = unsafe stat(path, &current) == 0 && old.st_ino == current.st_ino
    if !isCurrent { try overwrite(oldPath, size: Int(old.st_size)) }
    guard unsafe unlink(oldPath) == 0 else { throw FileError(errno: errno, path: oldPath) }
  }

  private func overwrite(_ path: String, size: Int) throws(FileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    defer { close(descriptor) }
    let zeros = [UInt8](repeating: 0, count: size)
    let count = unsafe zeros.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, size) }
    guard count == size, fsync(descriptor) == 0 else { throw FileError(errno: errno, path: path) }
  }

  private func unreadable(_ error: FileError) -> FleetError {
    FleetError(
      .local, Phrase("cannot read the keys of the participants: \(error); name the file with --keys FILE"))
  }

  private func unchanged(_ error: FileError) -> FleetError {
    FleetError(
      .local, Phrase("cannot change the keys of the participants: \(error); name the file with --keys FILE"))
  }
}

extension ParticipantKeyFile.Entry {
  /// Parses a line. Fails if it is malformed.
  init?(_ line: [UInt8]) {
    guard let object = try? JSONObject(line),
      let study = object["study"].flatMap(object.string).flatMap({ FleetCode($0) }),
      let code = object["code"].flatMap(object.string).flatMap({ FleetCode($0) }),
      let pseudonym = object["pseudonym"].flatMap(object.string).flatMap(Self.bytes),
      pseudonym.count == Pseudonym.size,
      let key = object["key"].flatMap(object.string).flatMap(Self.bytes),
      let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key)
    else { return nil }
    self.init(study: study, code: code, pseudonym: Pseudonym(pseudonym), key: key)
  }

  private static func bytes(_ text: String) -> [UInt8]? { Base64.decode(text.utf8) }

  fileprivate var line: [UInt8] {
    var line = JSONLine()
    line.line {
      $0.put("study", study.text)
      $0.put("code", code.text)
      $0.put("pseudonym", Base64.encode(pseudonym.bytes))
      $0.put("key", Base64.encode(key.rawRepresentation))
    }
    return line.bytes
  }
}
