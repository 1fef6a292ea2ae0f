import Stress

/// Icons of 24 by 24 units in the colour of the text. They are decorative: a word stands beside each.
enum Icon {
  static let heart = shape(
    "M12 20.5C5 15.5 3 12 3 8.8 3 6 5.2 4 7.7 4c1.8 0 3.3 1 4.3 2.6C13 5 14.5 4 16.3 4 18.8 4 21 6 21 8.8c0 3.2-2 6.7-9 11.7z"
  )
  static let help = line(
    "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zm0-5.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM5.8 5.8l3.7 3.7m5 5l3.7 3.7m0-12.4l-3.7 3.7m-5 5l-3.7 3.7"
  )
  static let wind = line("M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7a2.5 2.5 0 1 1-2.5 2.5")
  static let done = line("M4 12.5l5 5L20 6.5")
  static let warning = line("M12 4l9 16H3zM12 10v4.5m0 2.5h.01")
  static let failed = line("M6 6l12 12M18 6L6 18")
  static let list = line("M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01")
  static let chart = line("M4 20V4m0 16h16M8 15l4-5 3 3 5-7")
  static let pen = line("M4 20l1-5L16 4l4 4L9 19zM14 6l4 4")
  static let gear = line(
    "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10l2 2M19 5l-2 2M7 17l-2 2"
  )
  static let pulse = line("M2 12h5l2.5-7 5 14 2.5-7h5")
  static let sunrise = line("M3 18h18M6 14a6 6 0 0 1 12 0M12 3v3M4 8l2 1.5M20 8l-2 1.5")
  static let moon = line("M20 14.5A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z")
  static let signal = line("M12 20v-6m0-3a1.5 1.5 0 1 0 0-.01M7.5 15a6 6 0 1 1 9 0M4.5 18a10 10 0 1 1 15 0")
  static let ground = line(
    "M12 21v-9M12 12C8 12 5.5 9.5 5.5 6 9 6 12 8 12 12zm0 2c0-3.5 2.5-5.5 6.5-5.5 0 3.5-2.5 5.5-6.5 5.5zM5 21h14"
  )
  static let star = line(
    "M12 3.5l2.6 5.4 5.9.8-4.300 4.100 1 5.9-5.200-2.800-5.200 2.800 1-5.9-4.300-4.100 5.9-.8z")
  static let starred = shape(
    "M12 3.5l2.6 5.4 5.9.8-4.300 4.100 1 5.9-5.200-2.800-5.200 2.800 1-5.9-4.300-4.100 5.9-.8z")
  static let battery = line("M3 8h15v8H3zM21 11v2")

  /// The icon of a stress category.
  static func category(_ category: StressCategory) -> HTML {
    switch category {
    case .relaxed:
      shape(
        "M20 3C9 3 4 8 4 14c0 2 .6 3.6 1.4 4.8C8 14 11 11 15 9c-3.5 3-6 6.5-7.6 11.3.9.4 1.9.7 3.1.7C17 21 20 15 20 3z"
      )
    case .mild: shape("M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z")
    case .moderate: shape("M12 3l10 18H2z")
    case .high: shape("M3 3h18v18H3z")
    }
  }

  private static func shape(_ path: StaticString) -> HTML {
    svg("<path fill=\"currentColor\" d=\"\(path)\"/>")
  }

  private static func line(_ path: StaticString) -> HTML {
    svg(
      "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"\(path)\"/>"
    )
  }

  private static func svg(_ content: String) -> HTML {
    HTML(
      trusted:
        "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\">\(content)</svg>")
  }
}

extension Page.Section {
  var icon: HTML {
    switch self {
    case .now: Icon.pulse
    case .breathe: Icon.wind
    case .history: Icon.list
    case .trends: Icon.chart
    case .journal: Icon.pen
    case .settings: Icon.gear
    }
  }
}
