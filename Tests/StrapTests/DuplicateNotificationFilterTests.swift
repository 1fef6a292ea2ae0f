import TestSupport
import Testing

@testable import Strap

/// With two subscribed programs, BlueZ signals each value twice; with three, three times.
@Suite struct DuplicateNotificationFilterTests {
  private typealias Filter = DuplicateNotificationFilter<Int>

  private static let ms: Int64 = 1_000_000

  /// A strap's values, each announced `copies(index)` times within a few milliseconds.
  private func announced(
    _ values: [UInt8], every pause: Int64, jitter: () -> Int64 = { 100_000 }, copies: (Int) -> Int
  ) -> [Filter.Notification] {
    values.enumerated().flatMap { index, value -> [Filter.Notification] in
      var at = Int64(index) * pause
      return (0..<copies(index)).map { copy in
        if copy > 0 { at += jitter() }
        return Filter.Notification(payload: [0x16, 60, value, 3], arrival: at, stamp: index)
      }
    }
  }

  private func filtered(_ notifications: [Filter.Notification]) -> [Filter.Notification] {
    var filter = Filter()
    return notifications.flatMap { filter.received($0) } + filter.flush()
  }

  /// About one value in eight equals its predecessor, as in real recordings.
  private func heart(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0..<8, using: &random) }
  }

  @Test(arguments: 1...5, [UInt64(1), 2, 3, 4])
  func eachValueIsDeliveredOnce(copies: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = heart(300, seed: seed)
    let came = announced(
      values, every: 800 * Self.ms, jitter: { Int64.random(in: 1_000...(5 * Self.ms), using: &random) },
      copies: { _ in copies })
    #expect(filtered(came).map(\.stamp) == Array(values.indices))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func changesInTheNumberOfSubscribersAreDetected(seed: UInt64) {
    let values = heart(400, seed: seed)
    // The end of a subscription within equal values is detected immediately.
    let came = announced(values, every: 800 * Self.ms, copies: { [1, 2, 3, 2, 1, 3, 1, 4][$0 / 50] })
    let handed = filtered(came)
    #expect(handed.map(\.stamp) == Array(values.indices))
    #expect(handed.map(\.arrival) == values.indices.map { Int64($0) * 800 * Self.ms })
  }

  /// A loaded machine delivers some duplicates late, at any number of subscribers.
  @Test(arguments: [UInt64(1), 2, 3, 4], [400, 800] as [Int64])
  func lateDuplicatesAreDropped(seed: UInt64, pause: Int64) {
    var random = SeededGenerator(seed: seed)
    let values = (0..<400).map { UInt8($0 % 251) }
    var came = announced(values, every: pause * Self.ms, copies: { $0 / 100 + 1 })
    for last in came.indices.dropFirst().dropLast()
    where came[last - 1].stamp == came[last].stamp && came[last].stamp != came[last + 1].stamp
      && Int.random(in: 0..<8, using: &random) == 0
    {
      came[last].arrival += Int64.random(in: 40...150, using: &random) * Self.ms
    }
    #expect(filtered(came).map(\.stamp) == Array(values.indices))
  }

  /// At any rate, no value of a strap with one subscriber is lost.
  @Test(arguments: [1, 10, 100, 200, 800] as [Int64], [UInt64(1), 2, 3, 4])
  func consecutiveEqualValuesOfTheStrapAreKept(pause: Int64, seed: UInt64) {
    let values = heart(5_000, seed: seed)
    #expect(
      filtered(announced(values, every: pause * Self.ms, copies: { _ in 1 })).map(\.stamp)
        == Array(values.indices))
  }

  @Test func valuesInBurstsAreKept() {
    // Two equal values, then two distinct ones, as after a short radio outage.
    let came = [1, 1, 2, 3, 4, 4, 5, 6, 6, 6].enumerated().map { index, value in
      Filter.Notification(
        payload: [UInt8(value)], arrival: Int64(index / 2) * 2_000 * Self.ms + Int64(index % 2) * Self.ms,
        stamp: index)
    }
    #expect(filtered(came).map(\.stamp) == Array(came.indices))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func aConstantValueInBurstsOfAnySizeIsKept(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var at: Int64 = 0
    let came = (0..<5_000).map { index in
      at += Bool.random(using: &random) ? 10_000 : 20 * Self.ms
      return Filter.Notification(payload: [0x06, 60], arrival: at, stamp: index)
    }
    #expect(filtered(came).map(\.stamp) == Array(came.indices))
  }

  @Test func consecutiveEqualValuesAreKeptAmongDuplicates() {
    // The strap sends two equal values in succession, and each arrives twice.
    var came = announced([1, 2, 3, 4, 5], every: 800 * Self.ms, copies: { _ in 2 })
    for index in 5..<7 {
      for copy in 0..<2 {
        came.append(
          .init(
            payload: [9], arrival: 4_000 * Self.ms + Int64(index * 2 + copy) * Self.ms, stamp: index))
      }
    }
    #expect(filtered(came).map(\.stamp) == Array(0..<7))
  }

  @Test func anEqualValueIsHeldUntilTwoMoreValuesArrive() {
    var filter = Filter()
    func take(_ value: UInt8, _ milliseconds: Int64) -> Int {
      filter.received(.init(payload: [value], arrival: milliseconds * Self.ms, stamp: 0)).count
    }
    #expect([take(1, 0), take(1, 1), take(2, 800), take(3, 1600)] == [1, 0, 0, 3])
  }

  @Test func flushDeliversAllHeldValues() {
    for (copies, values, handed) in [(2, [1, 2], 2), (2, [1], 2), (1, [1, 2], 2)] as [(Int, [UInt8], Int)] {
      #expect(filtered(announced(values, every: 800 * Self.ms, copies: { _ in copies })).count == handed)
    }
  }
}

extension DuplicateNotificationFilter {
  fileprivate mutating func received(_ notification: Notification) -> [Notification] {
    var delivered: [Notification] = []
    receive(notification) { delivered.append($0) }
    return delivered
  }
}
