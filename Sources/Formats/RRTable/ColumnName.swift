/// The name of a column in a heading: `RR (ms)`, `rr_ms`, `"RR-interval [s]"`, `IBI`.
struct ColumnName: Equatable {
  let text: String
  /// The words of the name in lower case, such as `rr` and `ms`.
  private let words: [Substring]

  init(_ field: ArraySlice<UInt8>) {
    text = String(decoding: field, as: UTF8.self)
    words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// Rank of the name among the names of RR columns, the most specific first. Names of other quantities have none.
  var rank: Int? {
    if words.starts(with: ["r", "r"]) { return 0 }
    return Self.names.firstIndex { names in words.contains { names.contains(String($0)) } }
  }

  private static let names: [Set<String>] = [
    ["rr", "rri", "rrs", "rrms", "rrinterval", "rrintervals"], ["ibi", "ibis"], ["nn", "nni"],
  ]

  /// The unit in the name, if it contains one.
  var unit: RRText.Unit? {
    if !["ms", "msec", "millisecond", "milliseconds", "rrms"].filter({ words.contains($0[...]) }).isEmpty {
      return .milliseconds
    }
    return ["s", "sec", "secs", "second", "seconds"].contains { words.contains($0[...]) } ? .seconds : nil
  }

  /// Whether `name` equals this name, ignoring case.
  func matches(_ name: String) -> Bool { text.lowercased() == name.lowercased() }

  /// Whether the name is that of a time.
  var isTime: Bool {
    words.contains { word in
      Self.times.contains(String(word)) || word.hasSuffix("time") || word.hasSuffix("timestamp")
        || word.hasPrefix("time") || word.hasPrefix("datetime")
    } || words.count == 1 && Self.timeUnits.contains(String(words[0]))
  }

  private static let times: Set = [
    "t", "ts", "date", "clock", "elapsed", "since", "epoch", "unix", "utc", "onset", "zeit", "uhrzeit",
    "zeitstempel",
    "datum", "hora", "fecha", "tiempo", "temps", "heure", "horodatage",
  ]
  private static let timeUnits: Set = ["s", "sec", "secs", "second", "seconds", "ms", "msec", "milliseconds"]

  /// Whether the name is that of a person, or of what divides the recordings of a study.
  var isGroup: Bool {
    words.contains { Self.groups.contains(String($0)) }
      && words.allSatisfy { Self.groups.contains(String($0)) || Self.additions.contains(String($0)) }
  }

  private static let additions: Set = ["no", "nr", "number", "num", "label", "index", "key", "of", "the"]
  private static let groups: Set = [
    "participant", "participants", "participantid", "subject", "subjects", "subjectid", "subj", "sub", "id",
    "pid", "sid", "uid",
    "person", "personid", "patient", "patientid", "user", "userid", "username", "name", "proband",
    "probandin", "vp",
    "sujeto", "sujet", "participante", "paciente", "code", "case", "athlete", "player", "volunteer",
    "condition", "cond", "group", "session", "sessionid", "ses", "recording", "record", "file", "filename",
    "visit",
    "trial", "block", "run", "device", "strap", "sensor", "deviceid", "sensorid",
  ]
}
