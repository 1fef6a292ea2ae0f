internal import CPQ
package import Localization
internal import Platform

/// A connection URL as libpq defines it (PostgreSQL 15, section 34.1.1):
/// `postgresql://[USER@]HOST[:PORT][,HOST[:PORT]...]/DATABASE[?PARAMETERS]`.
package struct PostgreSQLURL: Equatable, Sendable, CustomStringConvertible {
  let text: String

  /// - Throws: ``Invalid`` for text that libpq does not accept, and for a URL with a password.
  package init(_ text: String) throws(Invalid) {
    guard Self.isURL(text) else {
      throw Invalid(
        Phrase(
          """
          '\(TargetURL.withoutUser(text))' is not a PostgreSQL URL. Example: postgresql://collector@db1,db2/lab
          """)
      )
    }
    guard !Self.containsPassword(text) else { throw Invalid.password }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = unsafe PQconninfoParse(text, &message) else {
      defer { unsafe PQfreemem(message) }
      let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
      throw Invalid(Phrase("the PostgreSQL URL is not valid: \(reason.singleLineMessage)"))
    }
    defer { unsafe PQconninfoFree(options) }
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if unsafe option.pointee.val != nil, unsafe String(cString: keyword) == "password" {
        throw Invalid.password
      }
      unsafe option += 1
    }
    self.text = text
  }

  /// Whether a password is visible before libpq parses the text: libpq repeats parts of text that is not valid in its message.
  private static func containsPassword(_ text: String) -> Bool {
    guard let start = text.firstRange(of: "://")?.upperBound else { return false }
    let user = text[start...].prefix { $0 != "?" }.split(separator: "@", omittingEmptySubsequences: false)
    return text.contains("password=") || (user.count > 1 && user[0].contains(":"))
  }

  /// Whether `text` has the scheme of PostgreSQL.
  private static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  package var description: String { text }

  /// The reason why a URL is not used.
  package struct Invalid: Error, Equatable, Translatable {
    package let message: Phrase

    /// The message in English.
    package var description: String { Language.english.text(message) }

    init(_ message: Phrase) { self.message = message }

    fileprivate static let password = Invalid(
      Phrase(
        """
        the PostgreSQL URL contains a password, which other users of this machine can read in the list of processes. \
        Write it to ~/.pgpass (HOST:PORT:DATABASE:USER:PASSWORD, chmod 600), or name a file with PGPASSFILE
        """)
    )
  }
}
