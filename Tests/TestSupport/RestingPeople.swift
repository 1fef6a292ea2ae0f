package import HRV

/// The undisturbed rests of one person, from real recordings.
package struct RestingPerson: Sendable {
  package let name: String
  package let rests: [UndisturbedRest]

  /// A pair of windows of one rest, the earlier one first.
  package typealias Pair = (RMSSDChange.Side, RMSSDChange.Side)

  /// All people with at least two minutes of rest, one entry per person.
  package static func all() throws -> [RestingPerson] {
    let sitting = try SharedData.recordingNames(in: .tasks).filter { $0.hasSuffix("_sitting_cs") }
    let sessions = try SharedData.recordingNames(in: .wearer)
    let people =
      try sitting.map { RestingPerson(name: $0, rests: [try .whole($0, in: .tasks)]) }
      + SharedData.recordingNames(in: .labelled).map { try RestingPerson($0, in: .labelled) }
      + [RestingPerson(name: "rest_supine", rests: [try .whole("rest_supine", in: .rr)])]
      + ["mitdb100_apc", "nsr001_24h"].map { try RestingPerson($0, in: .rr) }
      + [RestingPerson("nsr009_24h", in: .holter)]
      + [
        RestingPerson(
          name: "wearer",
          rests: sessions.filter { $0.hasPrefix("d") }.flatMap { try RestingPerson($0, in: .wearer).rests })
      ]
      + sessions.filter { !$0.hasPrefix("d") }.map { try RestingPerson($0, in: .wearer) }
    return people.filter { !$0.rests.isEmpty }
  }

  private init(name: String, rests: [UndisturbedRest]) { (self.name, self.rests) = (name, rests) }

  private init(_ name: String, in directory: SharedData.Directory) throws {
    self.init(name: name, rests: try UndisturbedRest.periods(of: name, in: directory))
  }

  /// Returns all pairs of windows of one rest with `gap` seconds between them.
  package func pairs(seconds: Int, gap: Int) -> [Pair] {
    let step = (seconds + gap) / seconds
    return rests.flatMap { rest -> [Pair] in
      let windows = rest.usableSides(seconds: seconds)
      return zip(windows, windows.dropFirst(step)).compactMap { a, b in
        if let a, let b { (a, b) } else { nil }
      }
    }
  }
}
