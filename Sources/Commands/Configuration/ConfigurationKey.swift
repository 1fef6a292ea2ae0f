import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Stress

extension Configuration {
  /// The settings of the file. Options on the command line take precedence.
  enum Key: String, CaseIterable, Sendable {
    case profile
    case window
    case hrv
    case strap
    case adapter
    case storeEvery = "store-every"
    case database
    case service
    case theme
    case simple
    case publish
    case servePort = "serve-port"
    case digest
    case digestFolder = "digest-folder"
    case prompts
    case quietHours = "prompt-quiet-hours"
    case sound
    case alarm
    case figureWidth = "figure-width"
    case figureColours = "figure-colours"

    /// The description in `config show`.
    var meaning: Phrase {
      switch self {
      case .profile: Phrase("the profile that measurements are stored for")
      case .window: Phrase("length of the HRV window")
      case .hrv: Phrase("the HRV metric that stress is computed from")
      case .strap: Phrase("the strap to use, by address or name; without, the one used last that answers")
      case .adapter: Phrase("the Bluetooth adapter to use; without, the first one")
      case .storeEvery: Phrase("how often a measurement is stored")
      case .database: Phrase("where measurements are stored")
      case .service:
        Phrase("what the service does: measure continuously (live), or take one reading per interval")
      case .theme: Phrase("the terminal background that colours are chosen for")
      case .simple: Phrase("whether screens show one value, one sentence and one action")
      case .publish: Phrase("where 'publish' sends live values, separated by spaces")
      case .servePort: Phrase("the port of 'serve'")
      case .digest: Phrase("whether the weekly timer posts one sentence about the week")
      case .digestFolder: Phrase("where the weekly timer writes the report of the week; without, nowhere")
      case .prompts: Phrase("whether live sessions ask about moments of unusual stress")
      case .quietHours: Phrase("the hours without such questions")
      case .sound: Phrase("the signal of a change of category in live sessions")
      case .alarm: Phrase("the conditions of alarms in live sessions, separated by semicolons")
      case .figureWidth: Phrase("the width of figures in files; without, that on a screen")
      case .figureColours: Phrase("whether figures in files have colours or greys")
      }
    }

    /// The valid values, for error messages.
    var validValues: Phrase {
      switch self {
      case .profile: Phrase("a name of 1 to 64 characters")
      case .window: Phrase("a duration from \("30s") to \("5m")")
      case .hrv: Phrase("\("rmssd") or \("sdnn")")
      case .strap: Phrase("an address such as C0:FF:EE:00:00:01, or a name")
      case .adapter: Phrase("hci0, hci1, ..., or the address of the adapter")
      case .storeEvery: Phrase("a duration from \("1s") to \("1h")")
      case .database: Phrase("the path of a file")
      case .service: Phrase("live, or an interval up to 1d that is longer than the window")
      case .theme: Phrase("auto, dark, light or high-contrast")
      case .simple: Phrase("\("on") or \("off")")
      case .publish: Phrase("targets such as \("osc://127.0.0.1:9000"), separated by spaces")
      case .servePort: Phrase("a port from \(1) to \(65535)")
      case .digest: Phrase("\("on") or \("off")")
      case .digestFolder: Phrase("the path of a folder")
      case .prompts: Phrase("\("on") or \("off")")
      case .quietHours: Phrase("\("off"), or two times of day such as \("22:00-07:00")")
      case .sound: Phrase("\("off"), \("bell") or \("desktop")")
      case .alarm:
        Phrase(
          "\("off"), or conditions on \("hr"), \("stress") or \("rmssd") such as \("hr > 170 for 30s; rmssd < 15 for 1m")"
        )
      case .figureWidth: Phrase("a width from \("40mm") to \("400mm")")
      case .figureColours: Phrase("\("colour") or \("grey")")
      }
    }

    var example: String {
      switch self {
      case .profile: "anna"
      case .window: "60s"
      case .hrv: "rmssd"
      case .strap: "\"Polar H10\""
      case .adapter: "hci0"
      case .storeEvery: "10s"
      case .database: "~/heart.db"
      case .service: "15m"
      case .theme: "light"
      case .simple: "on"
      case .publish: "\"osc://127.0.0.1:9000 file:/tmp/hr\""
      case .servePort: "8078"
      case .digest: "on"
      case .digestFolder: "~/reports"
      case .prompts: "on"
      case .quietHours: "22:00-07:00"
      case .sound: "bell"
      case .alarm: "\"hr > 170 for 30s\""
      case .figureWidth: "85mm"
      case .figureColours: "grey"
      }
    }

    /// The value that applies without the setting; the straps, the adapter and the targets have none.
    func standard(_ environment: ProcessEnvironment) -> String? {
      switch self {
      case .profile: ProfileCheck.usual
      case .window: StressEngine.Settings().window.shortText
      case .hrv: HRVMetric.rmssd.rawValue
      case .storeEvery: Configuration.usualStoreInterval.shortText
      case .database: try? StoreLocation(environment: environment.variables).path
      case .service: "live"
      case .theme: ThemeArgument.auto.rawValue
      case .simple, .digest: "off"
      case .servePort: "\(ServeOptions.usualPort)"
      case .prompts, .sound, .alarm: "off"
      case .quietHours: "22:00-07:00"
      case .figureColours: FigureStyle.Colours.colour.rawValue
      case .strap, .adapter, .publish, .digestFolder, .figureWidth: nil
      }
    }

    func isValid(_ value: String) -> Bool {
      switch self {
      case .profile: ProfileName(argument: value) != nil
      case .window:
        DurationArgument(argument: value).map { StressEngine.Settings.windows.contains($0.duration) } ?? false
      case .hrv: HRVMetric(rawValue: value) != nil
      case .storeEvery:
        DurationArgument(argument: value).map { (.seconds(1)...(.seconds(3600))).contains($0.duration) }
          ?? false
      case .service: ServiceMode(argument: value) != nil
      case .theme: ThemeArgument(rawValue: value) != nil
      case .simple, .digest, .prompts: ["on", "off"].contains(value)
      case .quietHours: value == "off" || QuietHours(value) != nil
      case .sound: SoundFeedback(rawValue: value) != nil
      case .alarm: value == "off" || AlarmCondition.list(value) != nil
      case .publish: Self.isListOfTargets(value)
      case .figureWidth: FigureStyle.width(value) != nil
      case .figureColours: FigureStyle.Colours(rawValue: value) != nil
      case .servePort: Int(value).map { (1...65535).contains($0) } ?? false
      case .strap, .adapter, .database, .digestFolder: !value.isEmpty
      }
    }

    /// Whether each word begins with a scheme that `publish` supports. The network program parses the rest.
    private static func isListOfTargets(_ value: String) -> Bool {
      let words = value.split(separator: " ")
      return !words.isEmpty
        && words.allSatisfy { word in TargetScheme.allCases.contains { word.hasPrefix("\($0.rawValue):") } }
    }
  }
}
