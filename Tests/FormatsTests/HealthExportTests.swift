import SessionData
import TestSupport
import Testing

@testable import Formats

/// Apple Health documents that are hostile or not well-formed. All of them are synthetic.
@Suite struct HealthExportTests {
  private static let measurement = """
    <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" startDate="2026-06-01 07:30:00 +0200">\
    <InstantaneousBeatsPerMinute bpm="60" time="7:30:01.00"/></Record>
    """

  private static func sessions(_ document: some Collection<UInt8>) throws -> Int {
    let scratch = try Scratch()
    var count = 0
    if case .other(let file) = try OpenedFile(path: try scratch.file(document), format: .appleHealth) {
      try file.sessions { _ in count += 1 }
    }
    return count
  }

  @Test("A syntax error in the document type declaration is ignored") func malformedDeclaration() throws {
    let declaration = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!ATTLIST VisionPrescription
        brand CDATA #IMPLIED
      <!ELEMENT RightEye EMPTY>
      <!ATTLIST WorkoutEvent
        device CDATA #IMPLIED
      >
        startDate CDATA #REQUIRED
      ]>

      """
    let document = declaration + "<HealthData>\(Self.measurement)</HealthData>"
    #expect(try Self.sessions(document.utf8) == 1)
    // The declaration across chunk boundaries.
    let padding = String(repeating: "<!-- padding -->\n", count: 10_000)
    let long = document.replacing("<!ELEMENT", with: padding + "<!ELEMENT")
    #expect(try Self.sessions(long.utf8) == 1)
  }

  /// Regression: the number was computed before its length was checked, and overflowed.
  @Test("A time of many digits is an error", arguments: [0, 1, 2, 3])
  func longNumbers(place: Int) {
    var numbers = ["7", "30", "01", "00"]
    numbers[place] = "99999999999999999999"
    let time = "\(numbers[0]):\(numbers[1]):\(numbers[2]).\(numbers[3])"
    let document = "<HealthData>\(Self.measurement.replacing("7:30:01.00", with: time))</HealthData>"
    #expect(throws: FormatError.self) { try Self.sessions(document.utf8) }
  }

  @Test func controlCharactersAreReplaced() throws {
    let document = "<HealthData><Record sourceName=\"a\u{0B}\u{01}b\"/>\(Self.measurement)</HealthData>"
    #expect(try Self.sessions(document.utf8) == 1)
  }

  @Test(arguments: [
    // Entities are not defined, so they cannot be expanded.
    "<!DOCTYPE HealthData [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><HealthData>&b;</HealthData>",
    "<!DOCTYPE HealthData [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><HealthData>&a;</HealthData>",
    // A start tag in a comment looks like the end of the prolog. Security finding I3.
    "<!-- <a --><!DOCTYPE HealthData [<!ENTITY a \"aaaaaaaaaa\">]><HealthData>&a;</HealthData>",
    "<HealthData><Record></HealthData>", "<HealthData/><HealthData/>",
    "<HealthData><Record a=1/></HealthData>",
  ]) func malformedDocumentIsRejected(document: String) {
    #expect { try Self.sessions(document.utf8) } throws: { error in
      guard case .malformed(.appleHealth, _, let why) = (error as? FormatError)?.code else { return false }
      return why.contains("not well-formed")
    }
  }

  enum Excess: CaseIterable {
    case tag, comment, nesting, names

    var content: String {
      switch self {
      case .tag: "<Record value=\"" + String(repeating: "x", count: 10_000_000)
      case .comment: "<!--" + String(repeating: "x", count: 10_000_000)
      case .nesting: String(repeating: "<a>", count: 200_000)
      case .names: (0..<300_000).map { "<a\($0)/>" }.joined()
      }
    }
  }

  @Test("Content beyond the memory limit is rejected", arguments: Excess.allCases)
  func memoryIsLimited(excess: Excess) throws {
    #expect { try Self.sessions("<HealthData>\(excess.content)".utf8) } throws: {
      "\($0)".contains("out of memory")
    }
    // The memory of the rejected document is free again.
    #expect(try Self.sessions("<HealthData>\(Self.measurement)</HealthData>".utf8) == 1)
  }
}
