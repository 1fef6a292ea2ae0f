import HeartRate
import JSONLines
import SessionData

@testable import Formats
@testable import Platform
@testable import Recording

// MARK: Text

extension FuzzTarget {
  /// A JSON object, and text that is encoded as JSON.
  static func json(_ bytes: [UInt8]) -> String? {
    if let object = try? JSONObject(bytes) {
      for name in ["a", "type", "text", "monotonic_s"] {
        guard let value = object[name] else { continue }
        _ = (object.string(value), object.number(value), object.double(value), object.boolean(value))
        _ = object.elements(value).map { $0.map(object.string) }
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var line = JSONLine()
    line.line { $0.put("a", text) }
    let encoded = String(decoding: line.bytes.dropLast(), as: UTF8.self)
    guard !encoded.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return "control characters in JSON"
    }
    guard let object = try? JSONObject(Array(encoded.utf8)), object["a"].flatMap(object.string) == text else {
      return "the text is not what was encoded"
    }
    return nil
  }

  /// The names and the fields of tables that are made of text from outside of the program.
  static func names(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let profile = text.asProfileName
    if let profile, profile.asProfileName != profile || profile.count > TextLimit.profile {
      return "an invalid name of a profile: \(profile.debugDescription)"
    }
    let strap = text.asStrapName
    guard strap.utf8.count <= TextLimit.strapName, strap.asStrapName == strap else {
      return "an invalid name of a strap: \(strap.debugDescription)"
    }
    guard !(profile ?? "").unicodeScalars.contains(where: \.isUnprintable),
      !strap.unicodeScalars.contains(where: \.isUnprintable)
    else { return "unprintable characters in a name" }
    return field(text)
  }

  private static func field(_ text: String) -> String? {
    let field = text.csvField
    guard field.utf8.first.map({ !"=+-@\t\r".utf8.contains($0) }) ?? true else {
      return "a formula: \(field.debugDescription)"
    }
    guard field.utf8.first != UInt8(ascii: "\"") else { return nil }
    return field.withoutFormulaPrefix == text.plainCell
      ? nil : "another text: \(field.debugDescription)"
  }

  /// Exported lines as a file, and as the parts in which synchronised folders deliver them.
  static func lines(_ bytes: [UInt8]) -> String? {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var parser = SessionLineParser(path: "parts")
    var last = SessionTime.zero
    do {
      for part in parts {
        parser.append(part + [UInt8(ascii: "\n")])
        while let line = try parser.next() {
          guard case .event(let event) = line else { continue }
          guard event.at >= last else { return "event at \(event.at) after \(last)" }
          last = event.at
        }
      }
    } catch is RecordingError {
      return nil
    } catch {
      return "another error: \(error)"
    }
    return nil
  }
}
