import HeartRate
import History
import Localization
import Session
import Terminal
import Testing

@testable import Commands

@Suite struct ScreenTests {
  private func screen(_ profiles: [String], footer: String? = "Kept.") -> Screen {
    let screen = Screen(blocks: profiles.count, hasCommonFooter: footer != nil)
    if let footer { screen.setFooter { _ in footer } }
    for (place, profile) in profiles.enumerated() {
      let live = LiveScreen(style: .plain, footer: nil)
      _ = screen.presenter(
        Screen.Block(screen: live, profile: profile, alerts: SessionAlerts(onScreen: true)), at: place)
    }
    return screen
  }

  @Test func eachSessionHasABlockAndAllHaveOneFooter() {
    let lines = screen(["anna", "ben"]).lines(.init(columns: 80, rows: 24))
    #expect(lines.filter { $0.hasPrefix("stressmon ") }.map { $0.suffix(4) } == ["anna", " ben"])
    #expect(lines.filter(\.isEmpty).count == 2)
    #expect(lines.last == "Kept.")
  }

  @Test(arguments: [(80, 24), (80, 12), (40, 8), (20, 6), (200, 60), (10, 3), (80, 2)])
  func blocksFitTheTerminal(columns: Int, rows: Int) {
    for profiles in [["anna"], ["anna", "ben"], ["anna", "ben", "cleo"]] {
      let lines = screen(profiles).lines(.init(columns: columns, rows: rows))
      #expect(lines.count < rows)
      #expect(lines.allSatisfy { $0.columns <= columns })
    }
  }

  @Test func essentialValuesRemainOnASmallTerminal() {
    let lines = screen(["anna", "ben"]).lines(.init(columns: 80, rows: 6))
    #expect(lines.map { $0.prefix(2) } == ["St", "HR", "St", "HR", "Ke"])
  }

  @Test func aBlockIsEmptyUntilItsSessionStarts() {
    #expect(Screen(blocks: 2).lines(.init(columns: 80, rows: 24)).isEmpty)
  }

  @Test func aPausedScreenIsUnchangedUntilTheEnd() async throws {
    let screen = screen(["anna"], footer: nil)
    func link(_ second: Int64, _ state: LinkChange.State) -> SessionEvent {
      SessionEvent(at: SessionTime(ticks: second * RRInterval.ticksPerSecond), .link(LinkChange(state)))
    }
    func isShown(_ words: String) -> Bool {
      screen.lines(.init(columns: 100, rows: 30)).contains { $0.contains(words) }
    }
    screen.update(0) { $0.update(link(5, .connected)) }
    screen.pauseOrResume()
    screen.update(0) { $0.update(link(9, .lost)) }
    #expect(isShown("Paused at 0:05, not live;") && isShown("0:05 · 0 beats") && isShown("Link lost"))
    screen.pauseOrResume()
    #expect(!isShown("Paused") && isShown("0:09 · 0 beats"))
  }

  @Test func aPageReplacesTheBlocks() {
    let screen = screen(["anna", "ben"])
    screen.show { size in ["\(size.columns) columns"] }
    #expect(screen.showsPage && screen.lines(.init(columns: 80, rows: 24)) == ["80 columns"])
    screen.show(nil)
    #expect(screen.lines(.init(columns: 80, rows: 24)).last == "Kept.")
  }

  @Test func theEffectOfAKeyIsReported() {
    let screen = screen(["anna", "ben"])
    #expect(screen.switchSpan() == .minute && screen.switchSpan() == .fiveMinutes)
    screen.show(.window(.minute))
    let lines = screen.lines(.init(columns: 80, rows: 24))
    #expect(lines.filter { $0.hasPrefix("The trend covers 60 s.") }.count == 1)
  }

  @Test(
    "The footer states what is not stored at present",
    arguments: [
      ([], "Stored in a.db and b.jsonl."), (["a.db"], "Stored in b.jsonl. Not yet stored in a.db."),
      (["a.db", "b.jsonl"], "Not yet stored in a.db. Not yet stored in b.jsonl."),
    ] as [([String], String)])
  func footer(delayed: [String], text: String) {
    let phrases = StorageOutcome.destination(("a.db", "b.jsonl"), delayed: Set(delayed))
    #expect(phrases.map { Language.english.text($0) }.joined(separator: " ") == text)
  }

  @Test func theFooterOfABlockIsThatOfTheMoment() {
    let screen = Screen()
    let live = LiveScreen(style: .plain, footer: "")
    _ = screen.presenter(Screen.Block(screen: live, profile: "anna", alerts: SessionAlerts(onScreen: true)))
    for text in ["Stored in a.db.", "Not yet stored in a.db."] {
      screen.setFooter { _ in text }
      #expect(screen.lines(.init(columns: 100, rows: 30)).contains(text))
    }
  }

  @Test func severalSessionsHaveOneLineOfKeys() {
    let screen = Screen(blocks: 2, hasCommonFooter: true, keys: LiveKey.ofSeveral)
    screen.setFooter { _ in "Kept." }
    #expect(
      screen.lines(.init(columns: 80, rows: 24)) == [
        "Kept.", "h help  q quit  space pause  m mark  w window",
      ])
    #expect(screen.lines(.init(columns: 80, rows: 8)) == ["Kept."])
  }
}
