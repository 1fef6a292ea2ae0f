import Testing

@testable import Terminal

@Suite struct KeyDecoderTests {
  @Test(arguments: [
    ("q", "q"), ("h?m", "h?m"), ("\u{1B}", "\u{1B}"), ("\u{1B}[A", ""), ("\u{1B}OPm", "m"),
    ("\u{1B}[1;5Hq", "q"),
    ("\u{1B}qm", "m"), ("äp", "p"), ("\u{4}", "\u{4}"), ("m\u{1B}[200~x", "mx"),
  ])
  func escapeSequencesAreNotKeys(sent: String, keys: String) {
    var decoder = KeyDecoder()
    #expect(String(decoder.keys(sent.utf8)) == keys)
    // The decoder is in its initial state again.
    #expect(decoder.keys("q".utf8) == ["q"])
  }

  @Test func sequenceContinuesInTheNextRead() {
    var decoder = KeyDecoder()
    #expect(decoder.keys("\u{1B}[1".utf8) == [] && decoder.keys(";5Hq".utf8) == ["q"])
  }
}
