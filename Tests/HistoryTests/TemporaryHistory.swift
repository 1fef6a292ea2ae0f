import Glibc
import HeartRate
import Stress
import TestSupport

@testable import History

/// A temporary folder for one test, removed with its contents.
final class TemporaryHistory: Sendable {
  let folder: String
  let location: StoreLocation

  init() throws {
    var template = Array("/tmp/stressmon-history-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw HistoryError(errno: errno, path: "/tmp", .open) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    location = try StoreLocation(environment: [
      "XDG_DATA_HOME": folder + "/data", "XDG_RUNTIME_DIR": folder + "/run",
    ])
  }

  deinit { Self.remove(folder) }

  var path: String { location.path }

  private static func remove(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) {
      let child = path + "/" + name
      if unlink(child) != 0 { remove(child) }
    }
    rmdir(path)
  }

  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// Permission bits of a file.
func mode(_ path: String) -> mode_t {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

func databaseBytes(of path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return bytes
}

func put(_ bytes: [UInt8], into path: String, at offset: Int = 0) {
  let file = open(path, O_WRONLY | O_CREAT, 0o600)
  defer { close(file) }
  _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
}

extension SessionInfo {
  static func sample(
    _ number: UInt64 = 1, profile: String = "me", settings: StressEngine.Settings = .init(),
    baseline: Baseline = .populationDefault
  ) -> SessionInfo {
    var random = SeededGenerator(seed: number)
    let started = WallTime(microseconds: 1_795_000_000_000_000 + Int64(number) * 1_000_000)
    return SessionInfo(
      id: SessionID(started: started, using: &random), profile: profile, source: .strap,
      strap: StrapIdentity(address: "C0:00:00:00:00:01", name: "Chest"), started: started,
      zone: "Europe/Berlin",
      utcOffset: 3600, monotonicNanoseconds: 123_456_789_000, settings: settings, baseline: baseline,
      programVersion: "0.1.0")
  }
}

/// One notification per second: 60 bpm, and an RR of 800 to 899 / 1024 s.
func notification(_ index: Int) -> SessionEvent {
  let at = SessionTime(ticks: Int64(index) * RRInterval.ticksPerSecond)
  let rr = 975 + index * 37 % 100
  return SessionEvent(
    at: at, wall: WallTime(microseconds: 1_795_000_000_000_000).advanced(ticks: at.ticks),
    .notification(payload: [0x10, 60, UInt8(rr & 255), UInt8(rr >> 8)]))
}

/// Waits until `condition` is true; false after five minutes.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<30_000 {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return try condition()
}

extension SessionWriter {
  /// Whether events up to `time` are durable and none is buffered.
  func hasSaved(upTo time: SessionTime) -> Bool { status == .saved(upTo: time) }

  var error: HistoryError? { if case .waiting(let error, _) = status { error } else { nil } }
}

func reader(_ history: TemporaryHistory) throws -> HistoryReader {
  guard let reader = try HistoryReader(history.location) else {
    throw HistoryError(.cannotCreate, path: history.path, .open, detail: "nothing is stored")
  }
  return reader
}
