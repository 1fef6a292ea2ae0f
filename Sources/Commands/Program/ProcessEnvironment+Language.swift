import Glibc
import Localization
import Platform

extension ProcessEnvironment {
  /// The language that the person wants to be spoken to in.
  var language: Language { Language(environment: variables, folders: catalogueFolders) }

  /// Where catalogues may lie: where TEXTDOMAINDIR says, as for gettext(1); where `make install` puts them, seen from the
  /// program; beside the program in `.build/PLATFORM/debug`.
  private var catalogueFolders: [String] {
    let named = self["TEXTDOMAINDIR"].map { [$0] } ?? []
    guard let path = realpath("/proc/self/exe", nil) else { return named }
    defer { free(path) }
    let folder = String(cString: path).split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let place = folder.joined(separator: "/")
    return named + ["\(place)/../share/locale", "\(place)/../../locale"]
  }
}
