import ArgumentParser
import Glibc
import HeartRate
import History
import NetworkCommands
import Platform
import Plot
import Stress

/// The command line that is being completed, and the candidates that the history provides for it.
struct CompletionContext {
  private let words: [String]
  /// The index of the word that is being completed.
  private let index: Int
  private let prefix: String
  /// Sessions, measurements and journal entries that are offered, the newest first.
  private static let limit = 30

  init(_ words: [String], index: Int, prefix: String) {
    (self.words, self.index, self.prefix) = (words, index, prefix)
  }

  var profiles: [String] { (try? reader?.profiles()) ?? [] }

  /// Names before addresses: a shell treats the colons of an address as word breaks.
  var straps: [String] {
    let straps = (try? reader?.rememberedStraps(of: profile)) ?? []
    return straps.compactMap(\.strap.name) + straps.map(\.strap.address)
  }

  var sessions: [String] {
    ((try? reader?.sessions(of: profile, limit: Self.limit)) ?? []).map(\.info.id.text)
  }

  var measurements: [String] {
    ((try? reader?.latestMeasurements(of: profile, limit: Self.limit)) ?? []).map { "\($0.id)" }
  }

  var journalEntries: [String] { journal.suffix(Self.limit).reversed().map { "\($0.id)" } }

  var triggers: [String] { Set(journal.flatMap(\.triggers)).sorted() }

  /// The files in the directory that the prefix names; directories end with a slash.
  var files: [String] {
    let parent = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    return Self.entries(of: parent.isEmpty ? "." : parent).filter { !$0.hasPrefix(".") }.map { parent + $0 }
  }

  /// The values of the setting that the word before names.
  var settingValues: [String] {
    guard words.indices.contains(index - 1), let key = Configuration.Key(rawValue: words[index - 1]) else {
      return []
    }
    return switch key {
    case .profile: profiles
    case .strap: straps
    case .adapter: Self.adapters
    case .hrv: HRVMetric.allCases.map(\.rawValue)
    case .theme: ThemeArgument.allCases.map(\.rawValue)
    case .simple, .digest, .prompts: ["on", "off"]
    case .quietHours: ["off", "22:00-07:00"]
    case .sound: SoundFeedback.allCases.map(\.rawValue)
    case .alarm: ["off"]
    case .figureWidth: ["85mm", "170mm"]
    case .figureColours: FigureStyle.Colours.allCases.map(\.rawValue)
    case .window: ["30s", "60s", "2m", "5m"]
    case .storeEvery: ["1s", "10s", "30s", "60s"]
    case .service: ["live", "15m", "30m", "1h"]
    case .database, .digestFolder: files
    case .publish: ["osc://127.0.0.1:9000"]
    case .servePort: ["\(ServeOptions.usualPort)", "\(ServeOptions.usualPort + 1)"]
    }
  }

  /// The Bluetooth adapters that the kernel lists.
  static var adapters: [String] {
    entries(of: "/sys/class/bluetooth").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      .filter { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// The names in a directory, in alphabetical order; those of directories end with a slash.
  private static func entries(of directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      unsafe names.append(name + (entry.pointee.d_type == UInt8(DT_DIR) ? "/" : ""))
    }
    return names.sorted()
  }

  private var journal: [JournalEntry] {
    (try? reader?.journal(of: profile)) ?? []
  }

  /// The profile of the command line, else the configured one.
  private var profile: String { value(of: "--profile") ?? configuration?[.profile] ?? "me" }

  private var configuration: Configuration? { try? Configuration(environment: .current, warn: { _ in }) }

  /// Absent as long as nothing is stored, and if the history cannot be read.
  private var reader: HistoryReader? {
    guard let configuration, var options = try? DatabaseOptions.parse([]) else { return nil }
    options.path = value(of: "--db")
    guard
      let location = try? options.location(
        CommandContext(environment: .current, configuration: configuration))
    else { return nil }
    return (try? HistoryReader(location)) ?? nil
  }

  /// The value of an option on the command line. Shells pass words verbatim, so quotes around a value are removed.
  private func value(of option: String) -> String? {
    let joined = words.lazy.filter { $0.hasPrefix(option + "=") }.map { $0.dropFirst(option.count + 1) }.last
    let separate = words.lastIndex(of: option).map { $0 + 1 }
      .flatMap { $0 < words.count - 1 ? words[$0][...] : nil }
    return (joined ?? separate).map { word in String(word.filter { !"\"'\\".contains($0) }) }
  }
}
