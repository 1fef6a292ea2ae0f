import Dashboard
import History
import JSONLines
import Platform
import Stress

/// The settings of stressmon, from the output of `config show`: only one program reads the files of the settings.
struct Settings {
  private var object: JSONObject?

  init(_ program: String) async {
    let settings = MeasuringProgram(path: program, database: "", profile: "")
    object = await settings.output(["config", "show", "--json"]).flatMap { try? JSONObject($0) }
  }

  func text(_ key: String) -> String? {
    guard let object else { return nil }
    return object[key].flatMap(object.string)
  }

  var profile: String? { text("profile") }
  var servePort: Int? { text("serve-port").flatMap { Int($0) } }
  var metric: HRVMetric { text("hrv").flatMap(HRVMetric.init(rawValue:)) ?? .rmssd }

  /// Session time between stored measurements, such as `10s`; 10 s if it is not set.
  var storeInterval: Duration {
    guard let text = text("store-every"), let unit = text.last else { return .seconds(10) }
    let seconds = ["s": 1, "m": 60, "h": 3600][unit]
    return (seconds == nil ? Int(text) : Int(text.dropLast())).map { .seconds($0 * (seconds ?? 1)) }
      ?? .seconds(10)
  }

  /// The setting `database`, with `~/` as the home directory.
  func database(_ environment: ProcessEnvironment) -> String? {
    text("database").map(environment.expandingTilde)
  }

  /// The history of an option `--db`, else of STRESSMON_DB, else of the setting, else the default one.
  func location(_ option: String?, _ environment: ProcessEnvironment) throws(HistoryError) -> StoreLocation {
    var location = try StoreLocation(
      path: option ?? environment["STRESSMON_DB"] ?? database(environment), environment: environment.variables
    )
    location.isNamed = option != nil
    return location
  }
}
