import Breathing
import HeartRate
import Localization
import Platform
import Plot
import Reports
import Strap
import Stress
import Terminal
import TestSupport
import Testing

@testable import Commands
@testable import History

/// Texts of history, trends, report and errors in German and in English.
@Suite struct TranslatedReportTests {
  private let german: TerminalStyle

  init() throws {
    let catalogue = try MessageCatalogue("de")
    let language = Language("de") { catalogue.text($0, $1) }
    german = TerminalStyle(colours: .none, unicode: true, language: language)
  }

  private var exercise: StoredBreathing {
    var exercise = StoredBreathing(
      session: SessionID(stored: "01K"), profile: "me", time: WallTime(microseconds: 0), pattern: "4-7-8",
      cycles: 3, plannedCycles: 4, seconds: 60)
    exercise.before = .init(rmssd: 67.2)
    return exercise
  }

  @Test func exerciseOfTheHistoryIsTranslated() {
    #expect(
      exercise.summary(german)
        == "Atemübung 4-7-8: 3 von 4 Zyklen; HRV vorher 67 ms, nachher - ms, zu wenige Daten für einen Vergleich"
    )
  }

  @Test func emptyHistoryIsTranslated() {
    let report = HistoryReport(profile: "me", path: "/a", isFiltered: true, style: german)
    #expect(
      report.noMeasurement == "Keine Messung von „me“ passt. Die letzten zeigt: stressmon history\n")
  }

  @Test func datesAreTranslated() {
    #expect(german.date("Wed 2026-11-18") == "Mi 18. Nov 2026")
    #expect(german.date("2026-03-08 07:30") == "8. Mär 2026 07:30" && german.date("2026-12") == "Dez 2026")
    #expect(german.date("2026-13-01") == "1. 13 2026" && german.date("07-30") == "07-30")
    #expect(TerminalStyle.plain.date("Wed 2026-11-18") == "Wed 18 Nov 2026")
  }

  @Test func emptyTrendsAndReportAreTranslated() throws {
    let period = TrendPeriod(days: 7, step: .day, until: WallTime(microseconds: 0), LocalCalendar { _ in 0 })
    let trends = try TrendReport(nil, of: "me", period, metric: .rmssd, today: 0)
    #expect(trends.text(style: german, width: nil).hasPrefix("Von „me“ ist in dieser Zeit kein Stresswert"))
    let week = try PeriodReport(nil, of: "me", ending: 6, metric: .rmssd, LocalCalendar { _ in 0 })
    let page = PeriodDocument(report: week, language: german.language).document.html
    #expect(
      page.contains("<html lang=\"de\">")
        && page.contains("<h1>Deine Woche, Do 1. Jan 1970 bis Mi 7. Jan 1970</h1>"))
  }

  @Test func everyMoodHasItsWord() {
    for rating in 1...10 {
      let mood = Mood(rating)
      #expect(mood.map { TerminalStyle.plain.localized($0.name) } == mood?.word)
    }
  }

  @Test func englishMessagesEqualTheDescriptions() {
    for code in [
      .exists, .notFound, .isDirectory, .notRegular, .notPermitted, .readOnlyFileSystem, .diskFull, .empty,
      .system(errno: 5),
    ] as [FileError.Code] {
      let error = FileError(code, path: "/a/b")
      #expect(Language.english.text(error.message) == error.description)
    }
    for code in HistoryError.Code.allCases {
      for attempt in [HistoryError.Attempt.open, .read, .write, .erase] {
        let error = HistoryError(code, path: "/a b", attempt, detail: "x")
        #expect(Language.english.text(error.message) == error.description)
      }
    }
    for error in straps { #expect(Language.english.text(error.message()) == error.description) }
    for error in conflicts { #expect(Language.english.text(error.message) == error.description) }
    for holder in [nil, conflicts[0]] {
      let running = RunningSession(session: SessionID(stored: "01K"), holder: holder)
      #expect(Language.english.text(running.message) == running.description)
    }
    for error in [PatternError.malformed("x"), .outOfRange(.hold, seconds: 0.5, 1...20)] {
      #expect(Language.english.text(error.message) == error.description)
    }
    for error in [PNGError.noProgram, .notDrawn("x\ny"), .notDrawn("")] {
      #expect(Language.english.text(error.message) == error.description)
    }
  }

  private var conflicts: [MeasurementLock.Conflict] {
    [
      .init(subject: .profile("a"), pid: 5, since: WallTime(microseconds: 0), profile: "me"),
      .init(subject: .strap(strap), pid: 5, since: nil, profile: nil),
      .init(subject: .profile("a"), pid: nil, since: WallTime(microseconds: 0), profile: nil),
      .init(subject: .profile("a"), pid: nil, since: nil, profile: "me"),
    ]
  }

  @Test func rareErrorsAreTranslated() {
    #expect(
      german.localized(ConfigurationError.unknownKey("x", in: "a.toml").message)
        .hasPrefix("unbekannte Einstellung „x“ (a.toml); die Einstellungen sind: profile"))
    #expect(
      german.localized(StrapError.notFound(.name("H10"), seen: []).message())
        .hasPrefix("kein Gurt namens „H10“ hat geantwortet. Trage den Gurt"))
    #expect(
      german.localized(HistoryError(.nameTaken, path: "/a", .write).message)
        == "der Verlauf /a lässt sich nicht schreiben: ein Profil mit diesem Namen gibt es schon. "
        + "Wähle einen anderen Namen; die Namen zeigt: stressmon profile list")
    #expect(german.localized(conflicts[1].message).contains("ist belegt: Prozess 5 misst. Beende ihn mit"))
  }

  private var straps: [StrapError] {
    [
      .noBus("x"), .noBluetoothd("x"), .noAdapter(wanted: nil, present: []),
      .noAdapter(wanted: nil, present: ["hci0"]), .noAdapter(wanted: "hci1", present: []),
      .noAdapter(wanted: "hci1", present: ["hci0", "hci2"]), .accessDenied("x"),
      .adapterOff("hci0"), .adapterBlocked("hci0", hard: false), .adapterBlocked("hci0", hard: true),
      .notFound(.any, seen: []), .notFound(.address("C0:FF:EE:00:00:01"), seen: []),
      .notFound(.name("H10"), seen: []), .notFound(.remembered([strap, strap]), seen: []),
      .notFound(.any, seen: [FoundStrap(strap: strap)]), .unexpected("x"),
      .ambiguous(.any, [FoundStrap(strap: strap), FoundStrap(strap: strap)]), .connectFailed(strap, "x"),
      .noHeartRate(strap), .subscribeFailed(strap, "x"), .notifyAcquired(strap, "x"),
      .pairingNeeded(strap, "x"),
      .pairingFailed(strap, "x"), .notPaired(.name("H10")),
    ]
  }

  private var strap: StrapIdentity { StrapIdentity(address: "C0:FF:EE:00:00:01", name: "H10") }

  @Test func failuresAreTranslatedAndKeepTheirExitStatus() throws {
    let failure = try #require(CommandFailure(FileError(.notFound, path: "/a/b")))
    #expect(failure.status == .failed && failure.description.hasPrefix("no such file or folder: /a/b"))
    #expect(german.localized(failure.message).hasPrefix("Datei oder Ordner nicht gefunden: /a/b"))
    let all = try #require(
      CommandFailure(all: [failure, failure, CommandFailure(.badData, untranslated: "x")]))
    #expect(all.status == .failed && all.description == failure.description + "\nx")
  }
}
