import Testing

@testable import Fleet

struct StreamSpaceTests {
  private func state(_ bytes: UInt64, of limit: Int64?) -> StreamState {
    StreamState(
      messages: 0, bytes: bytes, firstSequence: 0, created: 0,
      limits: StreamLimits(bytes: limit))
  }

  @Test func aStreamWithoutLimit() {
    var space = StreamSpace(state(1 << 40, of: nil), at: 0)
    space.published(1 << 30)
    #expect(!space.isFull && !space.needsCheck(at: 59_999_999_999))
    #expect(space.needsCheck(at: 60_000_000_000))
    space.update(state(1 << 40, of: 1 << 40), at: 60_000_000_000)
    #expect(space.isFull)
  }

  @Test func theLimitIsRaised() {
    var space = StreamSpace(state(1 << 40, of: 1 << 40), at: 0)
    #expect(space.isFull)
    space.update(state(1 << 40, of: 1 << 41), at: 5_000_000_000)
    #expect(!space.isFull)
  }

  @Test(arguments: [(1 << 40, 1 << 40 - 1 << 40 / 20), (1 << 29, 1 << 29 - 1 << 26), (1 << 20, 1 << 19)])
  func theLastPartRemainsEmpty(limit: Int, usable: Int) {
    #expect(!StreamSpace(state(UInt64(usable), of: Int64(limit)), at: 0).isFull)
    #expect(StreamSpace(state(UInt64(usable) + 1, of: Int64(limit)), at: 0).isFull)
  }

  @Test func theStateIsRequestedAgain() {
    var space = StreamSpace(state(0, of: 1 << 40), at: 0)
    #expect(!space.needsCheck(at: 4_999_999_999))
    #expect(space.needsCheck(at: 5_000_000_000))
    space.published(4 << 20)
    #expect(space.needsCheck(at: 1))
    space.update(state(1 << 40, of: 1 << 40), at: 1)
    #expect(space.isFull && !space.needsCheck(at: 2))
  }
}
