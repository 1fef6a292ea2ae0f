import Design
import Foundation
import Testing

@testable import design_tokens

@Suite struct TokensTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Design")

  @Test("Tokens.swift is up to date with tokens.json") func generatedSource() throws {
    let json = try Data(contentsOf: Self.folder.appending(path: "tokens.json"))
    let source = try String(contentsOf: Self.folder.appending(path: "Tokens.swift"), encoding: .utf8)
    func withoutLayout(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    #expect(
      try withoutLayout(TokenSource(json: json).text) == withoutLayout(source), "type: make tokens")
  }

  @Test("The icons are those of the token file") func icons() throws {
    let json = try Data(contentsOf: Self.folder.appending(path: "tokens.json"))
    let icon = try TokenSource(json: json).icon
    let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
    for path in ["Packaging/desktop/stressmon.svg", "Sources/Dashboard/Assets/icon.svg"] {
      #expect(
        try String(contentsOf: root.appending(path: path), encoding: .utf8) == icon, "type: make tokens")
    }
  }

  @Test("Malformed colours are rejected") func malformedColours() throws {
    let json = try String(contentsOf: Self.folder.appending(path: "tokens.json"), encoding: .utf8)
    for wrong in ["#34C75", "34C7590", "#34C7XX"] {
      let spoiled = Data(json.replacing("#34C759", with: wrong).utf8)
      #expect(throws: TokenSource.NoColour.self) { try TokenSource(json: spoiled) }
    }
  }
}
