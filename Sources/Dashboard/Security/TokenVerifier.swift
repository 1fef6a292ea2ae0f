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
