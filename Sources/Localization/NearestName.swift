/// The name that was probably meant by a misspelled one.
package enum NearestName {
  /// The name with the smallest edit distance to `word`, letter case ignored. It may differ in at most two characters, or in
  /// one for a word of up to four. If none is so near, the shortest name that begins with `word`, from two characters on.
  package static func of(_ word: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, count: distance(word, $0)) }
    guard let nearest = distances.min(by: { $0.count < $1.count }) else { return nil }
    if nearest.count <= (word.count <= 4 ? 1 : 2) { return nearest.name }
    let longer = word.count < 2 ? [] : names.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    return longer.min { $0.count < $1.count }
  }

  /// The number of characters inserted, deleted, replaced, or exchanged with their neighbour (optimal string alignment).
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
