import HeartRate
import History
import LiveSession
import Localization
import Platform

/// The data of one page request: its profile, its reader, the live values, and the language.
struct PageContext: Sendable {
  let query: QueryParameters
  var profile: String
  /// Absent as long as nothing is stored.
  let reader: HistoryReader?
  /// The newest values of the profile's live session, if there is one.
  let live: LiveSnapshot?
  let language: Language
  /// Whether the server rejects requests that change something. Pages then contain no forms.
  let isReadOnly: Bool
  let options: DashboardOptions
  let preferences: PagePreferences

  /// Whether the page Now shows one value, one sentence and one action.
  var isSimple: Bool { preferences.isSimple ?? options.isSimple }

  /// A path of this server that shows the same profile as this page.
  func path(_ path: String) -> String {
    guard let name = query.text("profile") else { return path }
    return "\(path)\(path.contains("?") ? "&" : "?")profile=\(name.percentEncoded)"
  }

  /// The text in the language of the page.
  func localized(_ text: Phrase.Template) -> String { language.text(Phrase(text)) }

  /// The text in the language of the page, in the plural form for `count`.
  func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
    language.text(Phrase(one, many, count: count))
  }

  /// A part of the page that the script replaces by its newest state when data arrive, and announces once.
  func refreshed(_ id: String, _ content: HTML) -> HTML {
    """
    <div class="refreshed" id="\(id)" data-refresh="\(localized("New data are shown."))">\(content)</div>
    """
  }

  func localized(_ phrase: Phrase) -> String { language.text(phrase) }

  /// Marks a value of the simulated strap.
  var simulatedTag: HTML { "<span class=\"tag\">\(localized("simulated"))</span>" }

  /// States that the trends leave simulated sessions out. Not needed if the profile has none, or only these.
  var simulatedLeftOut: HTML? {
    get throws {
      guard try reader?.leavesOutSimulated(of: profile) ?? false else { return nil }
      return """
        <p class="quiet">\(localized("Simulated sessions are not included, because this profile also has measured ones."))</p>
        """
    }
  }
}

extension String {
  /// The text as a value in a query: all but unreserved characters are percent-encoded (RFC 3986, section 2.3).
  package var percentEncoded: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + String(Int(byte) + 256, radix: 16, uppercase: true).dropFirst()
      }
    }.joined()
  }
}
