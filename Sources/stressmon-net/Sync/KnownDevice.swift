import HeartRate
import JSONLines
import Localization
import NetworkCommands
import Platform
import Sync

/// A device of the vault, as far as this device knows it.
struct KnownDevice {
  var id: SharedID
  var name: String
  var isOwn: Bool
  var isForgotten: Bool
  /// Format of its files: 2 if they are signed, otherwise 1.
  var format: Int
  /// The time of its latest file in the folder. Unknown if the folder contains none, or is not mounted.
  var lastSeen: WallTime?
  /// Number of sessions in its files.
  var sessions: Int

  /// This device first. Identifiers under which no device continues are omitted.
  static func all(_ device: SyncDevice, _ folder: VaultFolder?) -> [KnownDevice] {
    let others = device.peers.keys.sorted().filter { device.state.retired[$0] == nil && $0 != device.id }
    return ([device.id] + others).map { KnownDevice($0, device, folder) }
  }

  private init(_ id: SharedID, _ device: SyncDevice, _ folder: VaultFolder?) {
    self.id = id
    isOwn = id == device.id
    let name = isOwn ? device.name : device.peers[id]?.name ?? ""
    self.name = name.isEmpty ? id.text : name.withoutControlCharacters
    format = id.isSigning ? 2 : 1
    isForgotten = device.state.forgotten[id] != nil
    lastSeen = folder?.lastWrite(of: id).map { WallTime(clampingSeconds: $0) }
    sessions = device.sessions.values.count { session in
      session.partFiles.values.contains { $0.contains { $0.file.device == id } }
    }
  }

  /// The device with the name, or with an ID that begins with it.
  static func find(_ text: String, _ device: SyncDevice, _ folder: VaultFolder) throws -> KnownDevice {
    let all = all(device, folder)
    let named = all.filter { $0.name == text }
    let found = named.isEmpty ? all.filter { $0.id.text.hasPrefix(text.lowercased()) } : named
    guard let first = found.first else {
      throw SyncFailure(Phrase("there is no device '\(text)'; list the devices with: stressmon sync devices"))
    }
    guard found.count == 1 else {
      let ids = found.map(\.id.text).joined(separator: ", ")
      throw SyncFailure(Phrase("'\(text)' are several devices; type the beginning of one ID: \(ids)"))
    }
    return first
  }

  /// Whether the device writes files that are not signed.
  var isUpdateNeeded: Bool { format < 2 && !isForgotten && !isOwn }

  var line: String {
    let seen = lastSeen.map(LocalZone.text) ?? localized("no files")
    let note = isOwn ? "  " + localized("this device") : isForgotten ? "  " + localized("forgotten") : ""
    let format = isUpdateNeeded ? "  " + localized("format 1: update stressmon") : ""
    let count = localized("\(sessions) session", "\(sessions) sessions", count: sessions)
    return "\(id)  \(seen)  \(count)  \(name)\(note)\(format)"
  }

  var json: String {
    var line = JSONLine()
    line.line { line in
      line.put("device", id.text)
      line.put("name", name)
      line.put("last_seen", lastSeen?.rfc3339)
      line.put("sessions", sessions)
      line.put("this_device", isOwn)
      line.put("forgotten", isForgotten)
      line.put("format", format)
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}

extension SharedID {
  /// The time in the first 48 bits of a session's ID (ULID).
  var creation: WallTime { WallTime(microseconds: Int64(bits >> 80) * 1000) }
}

extension WallTime {
  /// Such as `2026-11-23`.
  var localDay: String { String(LocalZone.text(self).prefix(10)) }
}

extension WallTime {
  /// Seconds since 1970, clamped to the years 1970 to 9999, because the operator of a folder can set any time of a file.
  fileprivate init(clampingSeconds seconds: Int64) {
    self.init(microseconds: min(max(seconds, 0), 253_402_300_799) * 1_000_000)
  }
}
