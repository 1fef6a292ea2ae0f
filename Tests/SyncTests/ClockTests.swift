import Sync
import Testing

@Suite struct ClockTests {
  private let one = SharedID(bits: 1)
  private let other = SharedID(bits: 2)

  @Test func stampsIncreaseAlsoIfTheClockIsSetBack() {
    var clock = HybridClock()
    var last = clock.stamp(one, wall: 1_000_000)
    for wall: Int64 in [1_000_000, 1_000_001, 5, -7, .min, 1_000_001, .max, .max, 3] {
      let next = clock.stamp(one, wall: wall)
      #expect(next > last)
      #expect(next.milliseconds >= 0)
      last = next
    }
  }

  @Test func receivedStampsAreAdoptedUpToADayAhead() {
    var clock = HybridClock()
    let day = HybridClock.maximumLead
    let tomorrow = Stamp(milliseconds: 1000 + day, counter: 4, device: other)
    let isAdopted = clock.observe(tomorrow, wall: 1000) == nil
    let next = clock.stamp(one, wall: 1000)
    #expect(isAdopted && next > tomorrow)
    let year = 365 * day
    let lead = clock.observe(Stamp(milliseconds: 1000 + year, counter: 0, device: other), wall: 1000)
    let later = clock.stamp(one, wall: 1000)
    #expect(lead == year && later.milliseconds < 1000 + year)
  }

  @Test func leadsDoNotOverflow() {
    var clock = HybridClock()
    let last = Stamp(milliseconds: .max, counter: .max, device: other)
    let first = Stamp(milliseconds: 0, counter: 0, device: other)
    let leads = [
      clock.observe(last, wall: -1), clock.observe(first, wall: .max), clock.observe(first, wall: .min),
    ]
    #expect(leads == [.max, nil, .max])
  }

  /// A clock years ahead does not make later edits lose.
  @Test func anEditIsLaterThanTheKnownValue() {
    var clock = HybridClock()
    let ahead = Stamp(milliseconds: 9_000_000_000_000, counter: .max, device: other)
    let edit = clock.stamp(one, wall: 1000, after: ahead)
    #expect(edit > ahead)
    // The clock itself does not follow.
    let next = clock.stamp(one, wall: 1000)
    #expect(next.milliseconds == 1000)
  }

  @Test func theLastStampDoesNotOverflow() {
    var clock = HybridClock()
    let last = Stamp(milliseconds: .max, counter: .max, device: other)
    let stamp = clock.stamp(one, wall: 1000, after: last)
    #expect(stamp.milliseconds == .max)
  }

  /// After one change of a device whose clock is ahead, later editors of the same value have later stamps.
  @Test func onlyTheFirstDeviceAheadIsReported() {
    let ahead = Stamp(milliseconds: 4_102_444_800_000, counter: 0, device: other)
    var clock = HybridClock()
    let edit = clock.stamp(SharedID(bits: 3), wall: 1000, after: ahead)
    let key = RecordKey(.journal, SharedID(bits: 9))
    for order in [[ahead, edit], [edit, ahead]] {
      var device = SyncDevice(id: one, name: "one", key: VaultKey(epoch: 1, writer: one))
      var files: [String: VaultFile] = [:]
      for stamp in order {
        let name = VaultName.changes(number: 1)
        files[VaultPath.text(stamp.device, name)] = VaultFile(
          device: stamp.device, number: 1, digest: 1, name: name,
          content: .changes([.set(key, field: "note", FieldVersion("x", stamp))]))
      }
      var random = SystemRandomNumberGenerator()
      let found = device.receive(files.mapValues { _ in 1 }, wall: 1000, using: &random) { path in
        files[path].map { .file($0, VaultKey(epoch: 1, writer: one)) } ?? .damaged
      }
      #expect(found.findings == [.clockAhead(device: other, milliseconds: 4_102_444_799_000)])
    }
  }

  @Test func identifiersAreParsedInEitherCase() {
    for bits: UInt128 in [0, 1, 31, 32, .max, 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF] {
      let id = SharedID(bits: bits)
      #expect(id.text.utf8.count == 26)
      #expect(SharedID(id.text) == id)
      #expect(SharedID(id.text.uppercased()) == id)
    }
    for text in [
      "", "0", String(repeating: "z", count: 26), String(repeating: "u", count: 26),
      "0000000000000000000000000é",
    ] {
      #expect(SharedID(text) == nil)
    }
  }
}
