import Breathing
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Dashboard

@Suite struct PreferencesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("data/dashboard.json") }
  private var store: PreferencesStore { PreferencesStore(path: path) }

  init() throws { folder = try TemporaryFolder(prefix: "preferences") }

  private static let changed: PagePreferences = {
    var preferences = PagePreferences()
    preferences.theme = .highContrast
    preferences.accent = .gentle
    preferences.textSize = 260
    preferences.reducedMotion = .on
    preferences.language = .french
    preferences.isSimple = false
    preferences.move(.trend, earlier: true)
    preferences.addFavourite(.pattern(.box))
    return preferences
  }()

  @Test func everythingIsStoredAndReadAgain() throws {
    #expect(store.preferences() == PagePreferences())
    try store.update { $0 = Self.changed }
    #expect(store.preferences() == Self.changed)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"version":2,"theme":"dark"}"#, #"{"theme":"dark"}"#, #"{"version":1,"theme":"red"}"#,
    #"{"version":1,"text_size_percent":95}"#, #"{"version":1,"favourites":["99-99"]}"#,
    #"{"version":1,"simple":"yes"}"#,
  ])
  func anUnreadableFileIsNotReplaced(text: String) throws {
    try store.update { _ in }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(store.preferences() == PagePreferences())
    #expect(throws: PreferencesError.self) { try store.update { $0.theme = .dark } }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func unknownCardsAreIgnoredAndMissingOnesAreAdded() throws {
    let text = #"{"version":1,"cards":["week","moon","rmssd","week"]}"#
    let cards = try #require(PagePreferences(json: Array(text.utf8))).cards
    #expect(cards.prefix(2) == [.week, .rmssd])
    #expect(cards.count == PagePreferences.Card.allCases.count && Set(cards).count == cards.count)
  }

  @Test func cardsMoveByOnePlaceAndStopAtTheEnds() {
    var preferences = PagePreferences()
    let first = preferences.cards[0]
    preferences.move(first, earlier: true)
    #expect(preferences.cards == PagePreferences.Card.allCases)
    preferences.move(first, earlier: false)
    #expect(preferences.cards[1] == first)
  }

  @Test func favouritesAreLimitedAndDifferent() throws {
    var preferences = PagePreferences()
    preferences.addFavourite(.grounding)
    preferences.addFavourite(.grounding)
    #expect(preferences.favourites == [.grounding])
    for seconds in 1...20 {
      preferences.addFavourite(
        .pattern(try BreathingPattern(inhale: Double(seconds), hold: 0, exhale: 9, pause: 0)))
    }
    #expect(preferences.favourites.count == PagePreferences.mostFavourites)
  }
}
