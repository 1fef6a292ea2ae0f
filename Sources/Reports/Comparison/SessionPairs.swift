/// The sessions of two groups that belong together.
///
/// Names are divided into parts at slashes, hyphens, underscores, points and spaces; a span after `@` is one part. A part that
/// is equal within each group and different between the groups is the condition, and the others are the participant:
/// `P01_pre.txt` and `P01_post.txt` are a pair of `P01`, as are `rest/P01.txt` and `task/P01.txt`. If no pair is found this way,
/// letters and digits are also separated (`P01pre`).
package struct SessionPairs: Equatable, Sendable {
  package struct Pair: Equatable, Sendable {
    /// The parts that identify the participant. Pairs from a list have none.
    package let key: String?
    package let a: String
    package let b: String

    package init(key: String? = nil, a: String, b: String) { (self.key, self.a, self.b) = (key, a, b) }
  }

  package let pairs: [Pair]
  /// Sessions without a partner.
  package let unpaired: (a: [String], b: [String])

  package static func == (first: SessionPairs, second: SessionPairs) -> Bool {
    first.pairs == second.pairs && first.unpaired == second.unpaired
  }

  /// The reason why names cannot be paired.
  package enum Failure: Error, Equatable, Sendable {
    /// No session of A has a partner in B.
    case noPair
    /// Several sessions of one group have the same participant.
    case ambiguous(key: String, [String])
  }

  /// Explicit pairs.
  package init(_ pairs: [Pair], unpaired: (a: [String], b: [String]) = ([], [])) {
    (self.pairs, self.unpaired) = (pairs, unpaired)
  }

  /// Pairs the names of two groups.
  package init(_ a: [String], _ b: [String]) throws(Failure) {
    for separatesDigits in [false, true] {
      let parts = (
        a: a.map { Self.parts($0, separatesDigits: separatesDigits) },
        b: b.map { Self.parts($0, separatesDigits: separatesDigits) }
      )
      guard let places = Self.participantPlaces(parts.a, parts.b) else { continue }
      let keys = (a: parts.a.map { Self.key($0, places) }, b: parts.b.map { Self.key($0, places) })
      guard !Set(keys.a).isDisjoint(with: keys.b) else { continue }
      try Self.requireUnique(keys.a, a)
      try Self.requireUnique(keys.b, b)
      let partners = Dictionary(zip(keys.b, b)) { first, _ in first }
      pairs = zip(keys.a, a).compactMap { key, name in
        partners[key].map { Pair(key: key, a: name, b: $0) }
      }
      unpaired = (
        zip(keys.a, a).filter { partners[$0.0] == nil }.map(\.1),
        zip(keys.b, b).filter { !keys.a.contains($0.0) }.map(\.1)
      )
      return
    }
    throw .noPair
  }

  private static func requireUnique(_ keys: [String], _ names: [String]) throws(Failure) {
    for (key, found) in Dictionary(grouping: zip(keys, names), by: \.0).sorted(by: { $0.key < $1.key })
    where found.count > 1 {
      throw .ambiguous(key: key, found.map(\.1))
    }
  }

  private static func key(_ parts: [String], _ places: [Int]) -> String {
    places.map { parts[$0] }.joined(separator: " ")
  }

  /// The places of the parts that identify the participant, if the names have a common structure with such a part.
  private static func participantPlaces(_ a: [[String]], _ b: [[String]]) -> [Int]? {
    guard let count = a.first?.count, (a + b).allSatisfy({ $0.count == count }) else { return nil }
    let places = (0..<count).filter { place in
      let (inA, inB) = (Set(a.map { $0[place] }), Set(b.map { $0[place] }))
      return !(inA.count == 1 && inB.count == 1 && inA != inB)
    }
    // A part that is equal everywhere identifies a participant only if there is just one pair.
    let all = a + b
    let varying = places.filter { place in all.contains { $0[place] != all[0][place] } }
    if !varying.isEmpty { return varying }
    return a.count == 1 && b.count == 1 && !places.isEmpty ? places : nil
  }

  private static func parts(_ name: String, separatesDigits: Bool) -> [String] {
    let at = name.lastIndex(of: "@")
    let (file, span) = (name[..<(at ?? name.endIndex)], at.map { String(name[$0...]) })
    var parts: [String] = []
    for word in file.split(whereSeparator: { "/-_. ".contains($0) }) {
      guard separatesDigits else {
        parts.append(String(word))
        continue
      }
      var last: Character?
      for character in word {
        if let previous = last, previous.isNumber == character.isNumber {
          parts[parts.count - 1].append(character)
        } else {
          parts.append(String(character))
        }
        last = character
      }
    }
    return parts + [span].compactMap(\.self)
  }
}
