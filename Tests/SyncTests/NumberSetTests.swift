import Sync
import TestSupport
import Testing

@Suite struct NumberSetTests {
  @Test func equalsASetOfIntegers() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      var (set, expected) = (NumberSet(), Set<Int>())
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let low = Int.random(in: 1...40, using: &random)
        let range = low...(low + Int.random(in: 0...4, using: &random))
        set.insert(range)
        expected.formUnion(range)
      }
      let other = NumberSet((0..<9).map { _ in Int.random(in: 1...45, using: &random) })
      #expect((0...50).allSatisfy { set.contains($0) == expected.contains($0) })
      #expect(set == NumberSet(expected.sorted()))
      #expect(set.count == expected.count && set.last == expected.max())
      #expect(set.subtracting(other) == NumberSet(expected.filter { !other.contains($0) }.sorted()))
      #expect(NumberSet(set.text) == set)
      var union = set
      union.formUnion(other)
      #expect((0...50).allSatisfy { union.contains($0) == (expected.contains($0) || other.contains($0)) })
    }
  }

  @Test(arguments: ["x", "0", "-1", "3-2", "1,", "1,,2", "1-2-3", "99999999999999999999", "1-100000000"])
  func otherTextIsRejected(_ text: String) { #expect(NumberSet(text) == nil) }

  @Test(arguments: [
    ("00000000000000000000000006/about.age", true), ("00000000000000000000000006/J-00000001.AGE", true),
    ("00000000000000000000000006/s-00000000000000000000000009-0001.age", true),
    ("00000000000000000000000006/j-1.age", false), ("00000000000000000000000006/j-00000000.age", false),
    ("00000000000000000000000006/s-00000000000000000000000009.age", false), ("6/about.age", false),
    ("00000000000000000000000006/x/about.age", false), ("00000000000000000000000006/about.age.x", false),
    ("about.age", false), ("", false), ("/", false),
  ])
  func pathsAreParsed(_ path: String, _ isValid: Bool) {
    guard case .device(let device, let name) = VaultPath(path) else {
      #expect(!isValid)
      return
    }
    #expect(isValid && VaultPath.text(device, name) == path.lowercased())
  }
}
