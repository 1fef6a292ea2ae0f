import Platform

/// On whose behalf a request is made, for the limits of each client.
package enum TokenHolder: Hashable, Sendable {
  /// No secret is required.
  case anyone
  /// The user of the server: an admitted browser, or the bearer token of this start.
  case owner
  /// The permanent token of this name.
  case token(String)
}

/// Finds out what the secret of a request permits. Reads stored ones again whenever their file has changed.
package final class TokenVerifier: Sendable {
  private let start: TokenDigest
  private let tokens: StoredSecrets
  private let browsers: StoredSecrets

  /// - Parameters:
  ///   - start: the bearer token of this start of the server, which has the scope ``TokenScope/full``.
  ///   - tokens: the permanent tokens, if any.
  ///   - browsers: the cookies of the admitted browsers, if any.
  package init(start: AccessToken, tokens: TokenStore?, browsers: TokenStore?) {
    self.start = start.digest
    (self.tokens, self.browsers) = (StoredSecrets(tokens), StoredSecrets(browsers))
  }

  /// What a secret permits, and who has it.
  package typealias Grant = (scope: TokenScope, holder: TokenHolder)

  /// The grant of a bearer token. An unknown or removed token has none.
  package func grant(ofBearer token: String) -> Grant? {
    TokenDigest(of: token) == start ? (.full, .owner) : grant(ofURL: token)
  }

  /// The grant of a token in a URL, which can be that of a permanent token only.
  package func grant(ofURL token: String) -> Grant? {
    tokens.entry(of: token).map { ($0.scope, .token($0.name)) }
  }

  /// Whether one of the cookies belongs to an admitted browser. Servers at other ports can add cookies of the same name.
  package func admits(_ cookies: [String]) -> Bool { browser(of: cookies) != nil }

  /// The name of the browser.
  package func browser(of cookies: [String]) -> String? {
    cookies.lazy.compactMap { self.browsers.entry(of: $0)?.name }.first
  }
}

/// The entries of a ``TokenStore``, read again when its file has changed.
private final class StoredSecrets: Sendable {
  private let store: TokenStore?
  private let cache = Locked(Cache())

  private struct Cache {
    var version: FileVersion?
    var entries: [TokenStore.Entry] = []
  }

  init(_ store: TokenStore?) { self.store = store }

  /// An unreadable file is treated as one without entries.
  func entry(of secret: String) -> TokenStore.Entry? {
    guard let store else { return nil }
    let digest = TokenDigest(of: secret)
    let version = FileVersion(store.path)
    return cache.withLock { cache in
      if version != cache.version {
        cache = Cache(version: version, entries: (try? store.entries()) ?? [])
      }
      return cache.entries.first { $0.digest == digest }
    }
  }
}
