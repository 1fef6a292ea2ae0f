import Design
import Stress
import Testing

/// Colour is never the only distinction: words, icons and patterns differ too.
@Suite struct ColourVisionTests {
  /// Types of colour blindness, simulated in linear light (Machado et al. 2009, severity 1).
  enum Deficiency: CaseIterable {
    case protanopia, deuteranopia, tritanopia

    private var rows: [SIMD3<Double>] {
      switch self {
      case .protanopia:
        [
          SIMD3(0.152286, 1.052583, -0.204868), SIMD3(0.114503, 0.786281, 0.099216),
          SIMD3(-0.003882, -0.048116, 1.051998),
        ]
      case .deuteranopia:
        [
          SIMD3(0.367322, 0.860646, -0.227968), SIMD3(0.280085, 0.672501, 0.047413),
          SIMD3(-0.011820, 0.042940, 0.968881),
        ]
      case .tritanopia:
        [
          SIMD3(1.255528, -0.076749, -0.178779), SIMD3(-0.078411, 0.930809, 0.147602),
          SIMD3(0.004733, 0.691367, 0.303900),
        ]
      }
    }

    func seen(_ colour: Colour) -> Colour {
      Colour(
        light: SIMD3(
          (rows[0] * colour.light).sum(), (rows[1] * colour.light).sum(), (rows[2] * colour.light).sum()))
    }
  }

  static let pairs = StressCategory.allCases.flatMap { a in
    StressCategory.allCases.filter { a.rawValue < $0.rawValue }.map { (a, $0) }
  }

  @Test("The simulation of colour blindness preserves grey") func grey() {
    for deficiency in Deficiency.allCases {
      let grey = deficiency.seen(Colour(0x808080))
      #expect([grey.red, grey.green, grey.blue].allSatisfy { abs(Int($0) - 0x80) <= 2 })
    }
  }

  @Test("Some categories are not distinguishable by colour alone") func colourAlone() {
    let closest = Deficiency.allCases.flatMap { deficiency in
      Self.pairs.map { a, b in
        let palette = Palette(.light)
        return deficiency.seen(palette.fill(a)).contrast(with: deficiency.seen(palette.fill(b)))
      }
    }.min()
    #expect(closest.map { $0 < 1.3 } == true)
  }

  @Test(
    "Icons, patterns and words distinguish the categories with any colour vision",
    arguments: Deficiency.allCases)
  func iconsAndPatterns(deficiency: Deficiency) {
    for theme in Theme.allCases {
      let palette = Palette(theme)
      for (a, b) in Self.pairs {
        let (one, other) = (a.token, b.token)
        #expect(one.icon != other.icon && one.pattern != other.pattern && one.word != other.word)
        #expect(one.glyph != other.glyph && one.asciiGlyph != other.asciiGlyph)
        #expect(one.fill != other.fill && one.asciiFill != other.asciiFill)
      }
      // Icons and patterns have the colour of the outline, which must be visible with this deficiency too.
      for category in StressCategory.allCases {
        for background in palette.backgrounds {
          let ratio = deficiency.seen(palette.outline(category)).contrast(with: deficiency.seen(background))
          #expect(ratio >= 2.5, "\(category), \(theme), \(deficiency): \(ratio)")
        }
      }
    }
  }

  @Test("ASCII glyphs and fills are single bytes") func asciiForms() {
    for category in StressCategory.allCases {
      #expect(category.token.asciiGlyph.utf8.count == 1 && category.token.asciiFill.utf8.count == 1)
      #expect(category.token.glyph.count == 1 && category.token.fill.count == 1)
    }
  }
}
