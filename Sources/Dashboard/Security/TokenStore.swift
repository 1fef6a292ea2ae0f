import Glibc
package import HeartRate
import JSONLines
package import Localization
package import Platform

/// Permanent tokens, or the cookies of admitted browsers: a file of JSON lines (mode 0600) that contains their digests, never the
/// secrets.
package struct TokenStore: Sendable {
  package let path: String
  /// The scopes that its entries can have.
  let scopes: [TokenScope]

  package struct Entry: Equatable, Sendable {
    package let name: String
    package let scope: TokenScope
    package let digest: TokenDigest
    /// RFC 3339.
    package let created: String
  }

  package init(path: String, scopes: [TokenScope] = TokenScope.storable) {
    (self.path, self.scopes) = (path, scopes)
  }

  /// The permanent tokens: `tokens.jsonl`.
  package static func tokens(_ environment: ProcessEnvironment) -> TokenStore {
    TokenStore(path: folder(environment) + "/tokens.jsonl")
  }

  /// The admitted browsers: `browsers.jsonl`.
  package static func browsers(_ environment: ProcessEnvironment) -> TokenStore {
    TokenStore(path: folder(environment) + "/browsers.jsonl", scopes: [.full])
  }

  /// `stressmon` in `XDG_DATA_HOME`; the runtime folder if neither it nor HOME is set.
  static func folder(_ environment: ProcessEnvironment) -> String {
    let data = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { $0 + "/.local/share" }
    return data.map { $0 + "/stressmon" } ?? environment.runtimeFolder
  }

  /// The tokens in the order of their creation; empty without a file.
  package func entries() throws(TokenStoreError) -> [Entry] {
    guard unsafe access(path, F_OK) == 0 else { return [] }
    do throws(FileError) {
      var reader = LineReader(try ByteSource(path: path))
      var found: [Entry] = []
      while let line = try reader.next() {
        guard let entry = Entry(line.bytes), scopes.contains(entry.scope) else {
          throw FileError(.empty, path: path)
        }
        found.append(entry)
      }
      return found
    } catch {
      if error.code == .empty { throw TokenStoreError.damaged(path: path) }
      throw TokenStoreError.file(error)
    }
  }

  /// Adds a token, and returns it: it cannot be read later.
  package func add(_ name: String, _ scope: TokenScope, at time: WallTime) throws(TokenStoreError)
    -> AccessToken
  {
    guard Self.isValid(name) else { throw .invalidName(name) }
    let token = AccessToken()
    try change { entries throws(TokenStoreError) in
      guard !entries.contains(where: { $0.name == name }) else { throw .exists(name) }
      entries.append(Entry(name: name, scope: scope, digest: token.digest, created: time.rfc3339))
    }
    return token
  }

  /// Adds an entry with the first free name of the form `NAME-N`. If there are `limit` entries, the first one is removed.
  func addNumbered(_ name: String, _ scope: TokenScope, at time: WallTime, limit: Int) throws(TokenStoreError)
    -> AccessToken
  {
    let token = AccessToken()
    try change { entries in
      entries = entries.suffix(limit - 1)
      let names = Set(entries.map(\.name))
      let free = (1...limit).lazy.map { "\(name)-\($0)" }.first { !names.contains($0) } ?? name
      entries.append(Entry(name: free, scope: scope, digest: token.digest, created: time.rfc3339))
    }
    return token
  }

  /// Removes a token. A running server rejects it from the next request on.
  package func remove(_ name: String) throws(TokenStoreError) {
    try change { entries throws(TokenStoreError) in
      let names = entries.map(\.name)
      guard let index = names.firstIndex(of: name) else { throw .unknown(name, names) }
      entries.remove(at: index)
    }
  }

  /// Replaces the entries by changed ones. A lock on the folder excludes other processes meanwhile.
  private func change(_ body: (inout [Entry]) throws(TokenStoreError) -> Void) throws(TokenStoreError) {
    let folder = Folder.parent(of: path)
    do throws(FileError) { try Folder.create(folder) } catch { throw .file(error) }
    let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    // A file system without locks returns an error.
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    var entries = try entries()
    try body(&entries)
    try write(entries)
  }

  /// 1 to 64 letters, digits, and `-_.`.
  private static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private func write(_ entries: [Entry]) throws(TokenStoreError) {
    do throws(FileError) {
      try OutputFile(path: path, replacing: true).write(entries.flatMap(\.line))
    } catch { throw TokenStoreError.file(error) }
  }
}

extension TokenStore.Entry {
  init?(_ bytes: [UInt8]) {
    guard let object = try? JSONObject(bytes), let name = object["name"].flatMap(object.string),
      let scope = object["scope"].flatMap(object.string).flatMap(TokenScope.init(rawValue:)),
      let digest = object["sha256"].flatMap(object.string),
      let created = object["created"].flatMap(object.string)
    else { return nil }
    self.init(name: name, scope: scope, digest: TokenDigest(hex: digest), created: created)
  }

  var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("name", name)
      line.put("scope", scope.rawValue)
      line.put("sha256", digest.hex)
      line.put("created", created)
    }
    return line.bytes
  }
}

/// A failure of ``TokenStore``. The description states what to type next.
package enum TokenStoreError: Error, Translatable {
  case invalidName(String)
  case exists(String)
  case unknown(String, [String])
  case damaged(path: String)
  case file(FileError)

  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .invalidName(let name):
      Phrase(
        """
        '\(name)' is not a valid name of a token: expected 1 to 64 letters, digits, '-', '_' or '.'. \
        Example: stressmon serve token add obs --scope widget
        """)
    case .exists(let name):
      Phrase("there is a token '\(name)' already. Remove it first with: stressmon serve token remove \(name)")
    case .unknown(let name, let names) where names.isEmpty:
      Phrase("there is no token '\(name)'. Add one with: stressmon serve token add \(name) --scope hr")
    case .unknown(let name, let names):
      Phrase("there is no token '\(name)'. Tokens: \(names.joined(separator: ", "))")
    case .damaged(let path):
      Phrase(
        "\(path) contains a line that is not a token. Remove the file and add the tokens again: rm \(path)")
    case .file(let error): error.message
    }
  }
}
