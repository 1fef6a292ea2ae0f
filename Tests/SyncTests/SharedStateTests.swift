import Sync
import TestSupport
import Testing

/// The shared state depends only on the set of changes, not on their order and number.
@Suite struct SharedStateTests {
  private static func change(_ random: inout SeededGenerator) -> Change {
    func id(_ count: UInt64) -> SharedID {
      SharedID(bits: UInt128(UInt64.random(in: 1...count, using: &random)))
    }
    let stamp = Stamp(
      milliseconds: .random(in: 0...5, using: &random), counter: .random(in: 0...1, using: &random),
      device: id(3))
    let key = RecordKey(Bool.random(using: &random) ? .journal : .strap, id(3))
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .delete(.record(key), stamp)
    case 1: return .delete(.session(id(3)), stamp)
    case 2: return .delete(.content(SessionContent(profile: id(2), fingerprint: 9)), stamp)
    case 3: return .forget(id(3), stamp)
    case 4: return .retire(id(3), stamp)
    default:
      let value = Int.random(in: 0...9, using: &random)
      return .set(key, field: "f\(value % 2)", FieldVersion(value == 0 ? nil : "\(value)", stamp))
    }
  }

  private static func state(_ changes: [Change]) -> SharedState {
    var state = SharedState()
    for change in changes { state.merge(change) }
    return state
  }

  @Test func orderAndRepetitionDoNotMatter() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let changes = (0..<Int.random(in: 1...80, using: &random)).map { _ in Self.change(&random) }
      let expected = Self.state(changes)
      #expect(Self.state(changes.shuffled(using: &random)) == expected)
      #expect(Self.state((changes + changes).shuffled(using: &random)) == expected)
      #expect(Self.state(expected.changes) == expected)
      // In two parts, as two devices that exchange their states.
      let (one, other) = (Self.state(Array(changes.prefix(20))), Self.state(Array(changes.dropFirst(20))))
      #expect(Self.state(other.changes + one.changes) == expected)
    }
  }

  @Test func repeatedChangesChangeNothing() {
    var random = SeededGenerator(seed: 4)
    var state = SharedState()
    for _ in 0..<500 {
      let change = Self.change(&random)
      let before = state
      let isChanged = state.merge(change)
      #expect(isChanged == (state != before))
      let isChangedAgain = state.merge(change)
      #expect(!isChangedAgain)
    }
  }

  @Test func theLastWriterWins() {
    let device = SharedID(bits: 1)
    func version(_ value: Int) -> FieldVersion {
      FieldVersion("\(value)", Stamp(milliseconds: Int64(value), counter: 0, device: device))
    }
    var field = SharedField(version(5))
    for value in [9, 1, 7, 9] { field.merge(version(value)) }
    #expect(field.value == "9")
    #expect(field.entries.map(\.version.value) == ["9"])
    let isChanged = field.merge(version(2))
    #expect(!isChanged && field.value == "9")
  }

  /// The current version, the last one of this device, and the last one of each key epoch.
  @Test func versionsForForgottenDevicesAreKept() {
    let device = SharedID(bits: 1)
    func version(_ value: Int) -> FieldVersion {
      FieldVersion("\(value)", Stamp(milliseconds: Int64(value), counter: 0, device: device))
    }
    var field = SharedField(version(1))
    field.merge(version(2))
    for value in 3...5 { field.merge(version(value), Receipt(about: value, epoch: 1)) }
    for value in 6...8 { field.merge(version(value), Receipt(about: value, epoch: 2)) }
    #expect(field.entries.map(\.version.value) == ["2", "5", "8"])
    // An earlier receipt of the same version counts.
    field.merge(version(8), Receipt(about: 4, epoch: 1))
    #expect(field.entries.last?.receipt == Receipt(about: 4, epoch: 1))
    #expect(field.entries.map(\.version.value) == ["2", "8"])
  }
}
