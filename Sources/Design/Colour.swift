import RealModule

/// An sRGB colour with 8 bits per channel.
package struct Colour: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates the colour `0xRRGGBB`.
  package init(_ rgb: UInt32) {
    self.init(UInt8(rgb >> 16 & 0xFF), UInt8(rgb >> 8 & 0xFF), UInt8(rgb & 0xFF))
  }

  /// The colour as `#RRGGBB`.
  package var hex: String {
    "#"
      + [red, green, blue].map { channel in
        let digits = String(channel, radix: 16, uppercase: true)
        return channel < 16 ? "0" + digits : digits
      }.joined()
  }

  package static let black = Colour(0x000000)
  package static let white = Colour(0xFFFFFF)

  /// The linear-light channels, 0 to 1 (IEC 61966-2-1).
  package var light: SIMD3<Double> {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : Double.pow((value + 0.055) / 1.055, 2.4)
    }
    return SIMD3(linear(red), linear(green), linear(blue))
  }

  /// Creates the nearest colour to linear-light channels; values outside 0 to 1 are clipped.
  package init(light: SIMD3<Double>) {
    func channel(_ amount: Double) -> UInt8 {
      let amount = min(max(amount, 0), 1)
      let value = amount <= 0.0031308 ? amount * 12.92 : 1.055 * Double.pow(amount, 1 / 2.4) - 0.055
      return UInt8((value * 255).rounded())
    }
    self.init(channel(light.x), channel(light.y), channel(light.z))
  }

  /// Relative luminance, 0 (black) to 1 (white) (WCAG 2.2).
  package var luminance: Double { (light * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

  /// Returns the contrast ratio with another colour, 1 to 21 (WCAG 2.2).
  package func contrast(with other: Colour) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns the colour nearest to this one that has at least the contrast `ratio` with each of
  /// `backgrounds`, mixed with black or white, whichever requires less change. If none has, returns black or
  /// white, whichever has the larger contrast.
  package func readable(on backgrounds: [Colour], ratio: Double) -> Colour {
    func lowest(_ colour: Colour) -> Double { backgrounds.map(colour.contrast).min() ?? 21 }
    let steps = 255
    for step in 0..<steps {
      let fraction = Double(step) / Double(steps)
      for end in [Colour.black, .white] {
        let mixed = Colour(light: light * (1 - fraction) + end.light * fraction)
        if lowest(mixed) >= ratio { return mixed }
      }
    }
    return lowest(.black) > lowest(.white) ? .black : .white
  }

  /// Returns the index of the nearest of the 240 fixed xterm colours (16 to 255; users configure the first
  /// 16) that has the contrast `ratio` with `backgrounds`.
  package func terminalIndex(on backgrounds: [Colour], ratio: Double) -> Int {
    func distance(_ index: Int) -> Double {
      let step = Self.terminal[index - 16].light - light
      return (step * step).sum()
    }
    let all = Array(16...255)
    let readable = all.filter { index in
      backgrounds.allSatisfy { Self.terminal[index - 16].contrast(with: $0) >= ratio }
    }
    return (readable.isEmpty ? all : readable).min { distance($0) < distance($1) } ?? 16
  }

  /// The xterm palette: a colour cube with six levels per channel, and 24 greys.
  private static let terminal: [Colour] = {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    var colours: [Colour] = []
    for red in levels {
      for green in levels {
        for blue in levels { colours.append(Colour(red, green, blue)) }
      }
    }
    for grey in stride(from: UInt8(8), through: 238, by: 10) { colours.append(Colour(grey, grey, grey)) }
    return colours
  }()
}
