import Glibc
import Platform

/// Finds the scope of the token of a request. Reads the stored tokens again whenever their file has changed.
package final class TokenVerifier: Sendable {
  private let session: TokenDigest
  private let store: TokenStore?
  private let cache = Locked(Cache())

  private struct Cache {
    var version: FileVersion?
    var entries: [TokenStore.Entry] = []
  }

  /// - Parameters:
  ///   - session: the token of this start of the server, which has the scope ``TokenScope/full``.
  ///   - store: the persistent tokens; nil without them.
  package init(session: AccessToken, store: TokenStore?) {
    (self.session, self.store) = (session.digest, store)
  }

  /// nil for an unknown or removed token.
  package func scope(of token: String) -> TokenScope? {
    let digest = TokenDigest(of: token)
    if digest == session { return .full }
    return stored().first { $0.digest == digest }?.scope
  }

  /// An unreadable file is treated as one without tokens.
  private func stored() -> [TokenStore.Entry] {
    guard let store else { return [] }
    let version = FileVersion(store.path)
    return cache.withLock { cache in
      if version != cache.version {
        cache = Cache(version: version, entries: (try? store.entries()) ?? [])
      }
      return cache.entries
    }
  }
}

/// Identifies the content of a file that is replaced, never changed in place.
private struct FileVersion: Equatable {
  let inode: UInt
  let seconds: Int
  let nanoseconds: Int
  let size: Int

  /// nil if the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    inode = status.st_ino
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    size = Int(status.st_size)
  }
}
