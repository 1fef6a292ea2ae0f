extension ProcessEnvironment {
  /// The directories of the translations, in order of precedence: TEXTDOMAINDIR, as for gettext(1); the installed one,
  /// relative to a program in `bin` or in `libexec/stressmon`; that of a build in `.build/PLATFORM/debug`.
  package var catalogueFolders: [String] {
    let place = Folder.ofProgram
    let named = self["TEXTDOMAINDIR"].map { [$0] } ?? []
    return named + ["\(place)/../share/locale", "\(place)/../../share/locale", "\(place)/../../locale"]
  }
}
