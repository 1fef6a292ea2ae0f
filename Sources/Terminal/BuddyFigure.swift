import Stress

/// A round face whose expression shows the stress value; not animated.
struct BuddyFigure {
  /// Width of each line in columns.
  static let width = 14
  let lines: [String]

  /// - Parameter mood: If it is missing, because there is no stress value, the face has no expression.
  init(_ mood: BuddyMood?, unicode: Bool) {
    let face = unicode ? Self.unicodeFace(mood) : Self.asciiFace(mood)
    let (corner, side) = unicode ? (["╭", "╮", "╰", "╯"], "│") : ([".", ".", "'", "'"], "|")
    let edge = String(repeating: unicode ? "─" : "-", count: 7)
    lines = [
      "  \(corner[0])\(edge)\(corner[1])\(face.above)",
      " \(unicode ? "╭╯" : "/ ")       \(unicode ? "╰╮" : " \\")\(face.beside)",
      " \(side)  \(face.eyes)  \(side)", " \(side)   \(face.mouth)   \(side)",
      " \(unicode ? "╰╮" : "\\ ")       \(unicode ? "╭╯" : " /")", "  \(corner[2])\(edge)\(corner[3])",
    ].map { $0.padded(to: Self.width) }
  }

  private struct Face {
    /// Eyes of five columns and a mouth of three.
    var eyes, mouth: String
    /// Decorations: Z, drops, stars.
    var above = "", beside = ""
  }

  private static func unicodeFace(_ mood: BuddyMood?) -> Face {
    switch mood {
    case nil: Face(eyes: "·   ·", mouth: "   ")
    case .sleeping: Face(eyes: "─   ─", mouth: " ‿ ", above: "  z", beside: " Z")
    case .calm: Face(eyes: "•   •", mouth: "╰─╯")
    case .concerned: Face(eyes: "•   •", mouth: "───", beside: " ?")
    case .worried: Face(eyes: "°   °", mouth: "╭─╮", above: " ,", beside: " '")
    case .overwhelmed: Face(eyes: "×   ×", mouth: "∿∿∿", above: " *", beside: " ✶")
    }
  }

  private static func asciiFace(_ mood: BuddyMood?) -> Face {
    switch mood {
    case nil: Face(eyes: ".   .", mouth: "   ")
    case .sleeping: Face(eyes: "-   -", mouth: " u ", above: "  z", beside: " Z")
    case .calm: Face(eyes: "o   o", mouth: "\\_/")
    case .concerned: Face(eyes: "o   o", mouth: "---", beside: " ?")
    case .worried: Face(eyes: "O   O", mouth: "/-\\", above: " ,", beside: " '")
    case .overwhelmed: Face(eyes: "x   x", mouth: "~~~", above: " *", beside: " +")
    }
  }
}
