import FoundationEssentials
import Testing

@testable import Strap

@Suite struct StrapModelTests {
  @Test func everyRowIsRead() throws {
    let file =
      "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
      + "/Sources/Strap/Doctor/straps.tsv"
    let rows = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(
      separator: "\n")
    #expect(StrapModel.all.count == rows.count && rows.count >= 10)
    #expect(Set(StrapModel.all.map { $0.prefix.lowercased() }).count == rows.count)
    #expect(StrapModel.all.allSatisfy { !$0.name.isEmpty && !$0.source.isEmpty })
  }

  @Test("The table of docs/guide/pairing.md contains exactly the rows of the program")
  func theGuideAgrees() throws {
    let file =
      "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/guide/pairing.md"
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    let rows = StrapModel.all.map { model in
      let cells = [model.name, model.intervals.rawValue, model.resolution, model.note, model.source]
      return "| " + cells.map { $0.isEmpty ? "-" : $0 }.joined(separator: " | ") + " |"
    }
    #expect(text.contains(rows.joined(separator: "\n") + "\n\n"))
  }

  @Test func namesAreMatchedByTheirBeginning() {
    #expect(StrapModel.named("Polar OH1 1234ABCD")?.intervals == .smoothedWithPulse)
    #expect(StrapModel.named("polar h10 0A1B2C3D")?.intervals == .beatToBeat)
    #expect(StrapModel.named("Polar Sense 12345678")?.intervals == .pulse)
    #expect(StrapModel.named("My Polar H10") == nil && StrapModel.named(nil) == nil)
  }
}
