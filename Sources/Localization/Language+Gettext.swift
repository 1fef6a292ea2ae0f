import CGettext
import Glibc

extension Language {
  /// The language that the environment asks for, from catalogues of gettext (docs/design/translations.md).
  ///
  /// LC_ALL, LC_MESSAGES and LANG name it, in this order; LANGUAGE names several, the best first. English, and the locales
  /// C and POSIX, load nothing and ask nobody.
  /// - Parameter folders: Where catalogues may lie, as `de/LC_MESSAGES/stressmon.mo`; the first that exists is used.
  package init(environment: [String: String], folders: @autoclosure () -> [String]) {
    guard let wish = LanguageWish(environment),
      let folder = folders().first(where: { access($0, X_OK) == 0 }),
      let locale = MessageLocale(wish)
    else {
      self = .english
      return
    }
    bindtextdomain(domain, folder)
    // Or letters beyond ASCII would be question marks: nothing else of the locale is used.
    bind_textdomain_codeset(domain, "UTF-8")
    self.init(wish.languages) { key, plural in
      locale.inside { translation(of: key, plural) }
    }
  }
}

private let domain = "stressmon"

/// For a missing translation, gettext returns the pointer that it was given, so the result is copied within the scope in
/// which that pointer is valid.
private func translation(of key: String, _ plural: (key: String, count: Int)?) -> String {
  key.withCString { key in
    guard let plural else { return String(cString: dgettext(domain, key)) }
    return plural.key.withCString { plurals in
      String(cString: dngettext(domain, key, plurals, UInt(plural.count.magnitude)))
    }
  }
}

/// Which languages the environment asks for; nil where that is English.
struct LanguageWish {
  /// As LANGUAGE takes them: `de_AT:de`.
  let languages: String

  /// By the rules of gettext: a locale of C or POSIX is English whatever LANGUAGE says.
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

/// The locale of messages alone, which is in force while a text is looked up, and on that thread: numbers and the words of
/// the C library stay as they are.
private struct MessageLocale: Sendable {
  /// A `locale_t`, which lives as long as the program.
  private let address: UInt

  /// A locale that the system does not have is taken for C.UTF-8, which up to glibc 2.38 takes its language from LANGUAGE;
  /// later ones speak English then. Nil where there is not even that.
  init?(_ wish: LanguageWish) {
    guard
      let locale = newlocale(LC_MESSAGES_MASK, "", nil) ?? newlocale(LC_MESSAGES_MASK, "C.UTF-8", nil)
    else { return nil }
    setenv("LANGUAGE", wish.languages, 1)
    address = UInt(bitPattern: locale)
  }

  func inside<Result>(_ body: () -> Result) -> Result {
    let before = uselocale(locale_t(bitPattern: address))
    defer { uselocale(before) }
    return body()
  }
}
