import CGettext
import Glibc

extension Language {
  /// The language that the environment selects, from gettext catalogues (docs/design/translations.md).
  ///
  /// LC_ALL, LC_MESSAGES and LANG select it, in this order; LANGUAGE lists several in order of preference. English and the
  /// locales C and POSIX load no catalogue.
  /// - Parameter folders: Folders with catalogues such as `de/LC_MESSAGES/stressmon.mo`; the first existing one is used.
  package init(environment: [String: String], folders: @autoclosure () -> [String]) {
    guard let wish = LanguageWish(environment),
      let folder = folders().first(where: { unsafe access($0, X_OK) == 0 }),
      let locale = MessageLocale(wish)
    else {
      self = .english
      return
    }
    unsafe bindtextdomain(domain, folder)
    // Without LC_CTYPE, non-ASCII letters would be question marks. No other part of the locale is used.
    unsafe bind_textdomain_codeset(domain, "UTF-8")
    self.init(wish.languages) { key, plural in
      locale.inside { translation(of: key, plural) }
    }
  }
}

private let domain = "stressmon"

/// For a missing translation, gettext returns the pointer that it was given, so the result is copied within the scope in
/// which that pointer is valid.
private func translation(of key: String, _ plural: (key: String, count: Int)?) -> String {
  unsafe key.withCString { key in
    guard let plural else { return unsafe String(cString: dgettext(domain, key)) }
    return unsafe plural.key.withCString { plurals in
      unsafe String(cString: dngettext(domain, key, plurals, UInt(plural.count.magnitude)))
    }
  }
}

/// The languages selected by the environment, unless English comes first.
struct LanguageWish {
  /// In the format of LANGUAGE: `de_AT:de`.
  let languages: String

  /// As gettext does: with the locale C or POSIX, LANGUAGE is ignored.
  init?(_ environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"),
      locale != "C", locale != "POSIX"
    else { return nil }
    let listed = value("LANGUAGE") ?? String(locale.prefix { $0 != "." && $0 != "@" })
    // English needs no catalogue, so a language after it in the list is never used.
    let wished = listed.split(separator: ":").prefix { !Self.isEnglish($0) }
    guard !wished.isEmpty else { return nil }
    languages = wished.joined(separator: ":")
  }

  private static func isEnglish(_ language: Substring) -> Bool {
    ["en", "C", "POSIX"].contains(language.prefix { $0 != "_" && $0 != "." && $0 != "@" })
  }
}

/// A locale for LC_MESSAGES, set only for the current thread and during a look-up: number formats and messages of the C
/// library are unchanged.
private struct MessageLocale: Sendable {
  /// A `locale_t` that is never freed.
  private let address: UInt

  /// Falls back to C.UTF-8 for a locale that is not installed: up to glibc 2.38 it uses LANGUAGE, later versions use English.
  /// Fails if C.UTF-8 is not installed either.
  init?(_ wish: LanguageWish) {
    guard
      let locale = unsafe newlocale(LC_MESSAGES_MASK, "", nil) ?? newlocale(LC_MESSAGES_MASK, "C.UTF-8", nil)
    else { return nil }
    unsafe setenv("LANGUAGE", wish.languages, 1)
    address = UInt(bitPattern: locale)
  }

  func inside<Result>(_ body: () -> Result) -> Result {
    let before = unsafe uselocale(locale_t(bitPattern: address))
    defer { unsafe uselocale(before) }
    return body()
  }
}
