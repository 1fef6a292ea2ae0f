import Glibc
import Localization
import Platform

extension ProcessEnvironment {
  /// The language of the output.
  var language: Language { Language(environment: variables, folders: catalogueFolders) }

  /// The directories of the catalogues, in order of precedence: TEXTDOMAINDIR, as for gettext(1); the installed one,
  /// relative to the program; that of a build in `.build/PLATFORM/debug`.
  private var catalogueFolders: [String] {
    let named = self["TEXTDOMAINDIR"].map { [$0] } ?? []
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return named }
    defer { unsafe free(path) }
    let folder = unsafe String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast()
    let place = folder.joined(separator: "/")
    return named + ["\(place)/../share/locale", "\(place)/../../locale"]
  }
}
