import HRV
import HeartRate
import Localization

/// A chart of the last RR intervals as dots; intervals that are not normal are marked with `x` in an extra row.
struct RRChart {
  let lines: [String]

  static func title(_ style: TerminalStyle) -> String {
    style.dim(style.localized("Time between heartbeats in ms"))
  }

  /// - Parameters:
  ///   - rows: Rows for the dots, without the extra row.
  ///   - width: Width in columns, including the axis.
  init(_ beats: [Beat], rows: Int, width: Int, unicode: Bool) {
    let grid = Grid(rows: rows, columns: max(1, width - Self.margin), unicode: unicode)
    let shown = beats.suffix(grid.places)
    let normal = shown.lazy.filter { $0.verdict.isNormal }.map { $0.rr.ticks }
    guard rows > 0, let low = normal.min(), let high = normal.max() else {
      lines = []
      return
    }
    // Minimum range of 0.1 s: the resolution of the intervals must not fill the chart.
    let spare = max(0, Self.leastSpan - (high - low)) / 2
    let (bottom, top) = (low - spare, high + spare)
    var dots = grid
    var before: Int?
    var marks = Array(repeating: Character(" "), count: grid.columns)
    for (place, beat) in shown.enumerated() {
      guard beat.verdict.isNormal else {
        marks[place / grid.dotsPerColumn] = "x"
        before = nil
        continue
      }
      let height = grid.step(Double(beat.rr.ticks - bottom) / Double(max(1, top - bottom)))
      dots.draw(at: place, from: beat.followsBreak ? nil : before, to: height)
      before = height
    }
    let labels = Self.labels(rows: rows, top: top, bottom: bottom)
    var lines = zip(labels, dots.lines).map { $0 + "│".inASCII(!unicode, "|") + $1 }
    if marks.contains("x") { lines.append(String(repeating: " ", count: Self.margin) + String(marks)) }
    self.lines = lines
  }

  /// Four digits of ms, a space, and the axis.
  private static let margin = 6
  private static let leastSpan = 100 * RRInterval.ticksPerMillisecond

  private static func labels(rows: Int, top: Int64, bottom: Int64) -> [String] {
    (0..<rows).map { row in
      let value = row == 0 ? top : row == rows - 1 ? bottom : nil
      return (value.map { String($0 / RRInterval.ticksPerMillisecond) } ?? "").aligned(to: margin - 2) + " "
    }
  }
}

/// A grid of dots: eight per character in Unicode (braille), one in ASCII.
private struct Grid {
  let rows: Int
  let columns: Int
  let unicode: Bool
  private var cells: [UInt8]

  init(rows: Int, columns: Int, unicode: Bool) {
    (self.rows, self.columns, self.unicode) = (rows, columns, unicode)
    cells = Array(repeating: 0, count: max(0, rows * columns))
  }

  var dotsPerColumn: Int { unicode ? 2 : 1 }
  var places: Int { columns * dotsPerColumn }
  private var dotsPerRow: Int { unicode ? 4 : 1 }

  private var steps: Int { rows * dotsPerRow - 1 }

  /// The row of dots, from the bottom, for a height of 0 to 1.
  func step(_ height: Double) -> Int { Int((height * Double(steps)).rounded()) }

  /// Draws a dot in column `place`, connected to the previous dot.
  mutating func draw(at place: Int, from before: Int?, to step: Int) {
    set(place, step)
    guard let before, unicode else { return }
    for between in min(before, step)..<max(before, step) where between != before { set(place, between) }
  }

  private mutating func set(_ place: Int, _ step: Int) {
    let fromTop = steps - step
    let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    let bit = unicode ? bits[place % 2][fromTop % 4] : 1
    cells[fromTop / dotsPerRow * columns + place / dotsPerColumn] |= bit
  }

  var lines: [String] {
    (0..<rows).map { row in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(3 * columns)
      for cell in cells[(row * columns)..<((row + 1) * columns)] {
        if cell == 0 {
          bytes.append(0x20)
        } else if unicode {
          // U+2800 and the dots in UTF-8.
          bytes += [0xE2, 0xA0 | cell >> 6, 0x80 | cell & 0x3F]
        } else {
          bytes.append(0x2A)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension String {
  fileprivate func inASCII(_ isASCII: Bool, _ other: String) -> String { isASCII ? other : self }
}
