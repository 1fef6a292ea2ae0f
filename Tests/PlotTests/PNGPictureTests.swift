import Testing

@testable import Plot

@Suite struct PNGPictureTests {
  @Test("An image has two pixels per CSS pixel of the document") func imageSize() async throws {
    let figure = TrendFigure(title: "x", parts: [], hrvName: "RMSSD", normal: nil, restingHeartRate: 60)
    let bytes = try await PNGPicture(svg: figure.svg).bytes
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == 1600 && number(20) == 1580)
    let again = try await PNGPicture(svg: figure.svg).bytes
    #expect(again == bytes)
  }

  @Test(
    "An invalid document is rejected with the renderer's message",
    arguments: ["", "no picture", "<svg", "<html/>"])
  func invalidDocument(svg: String) async {
    let error = await #expect(throws: PNGError.self) { try await PNGPicture(svg: svg) }
    guard case .notDrawn(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && error?.description.contains("rsvg-convert produced no picture") == true)
  }
}
