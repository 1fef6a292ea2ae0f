import HRV
import HeartRate
import Testing

private func window(
  _ notifications: [(arrival: Double, rr: Double)], lost: Set<Int> = [], length: Duration = .seconds(60)
) -> ArrivalWindow {
  var window = ArrivalWindow(length: length)
  for (index, notification) in notifications.enumerated() {
    window.append(
      arrival: SessionTime(ticks: Int64(notification.arrival * 8e7)), rr: Int64(notification.rr * 8e7),
      contactLost: lost.contains(index))
  }
  return window
}

/// One notification with one beat per second.
private func steady(_ seconds: ClosedRange<Int>) -> [(arrival: Double, rr: Double)] {
  seconds.map { (Double($0), 1) }
}

@Test("Coverage is nil without two different arrival times") func noCoverage() {
  #expect(window([]).coverage == nil && window([]).span == 0 && window([]).contactLostFraction == nil)
  #expect(window([(10, 1)]).coverage == nil && window([(10, 1)]).contactLostFraction == nil)
  #expect(window([(10, 1), (10, 1)]).coverage == nil)
}

@Test("The intervals of the oldest notification do not count") func oldestNotification() {
  let two = window([(10, 5), (12, 2)])
  #expect(two.coverage == 1 && two.span == 160_000_000 && two.excess == 0)
}

@Test("Regular notifications have a coverage of 1") func regularNotifications() {
  for end in [2, 59, 60, 61, 62, 500] {
    #expect(window(steady(0...end)).coverage == 1)
    #expect(window(steady(0...end)).span == Int64(min(end, 60)) * 80_000_000)
  }
}

@Test("A notification is removed when it is older than the window length") func windowLengthLimit() {
  #expect(window([(0, 9), (30, 30), (60, 30)]).span == 60 * 80_000_000)
  #expect(window([(0, 9), (30, 30), (60.0000001, 30)]).span < 31 * 80_000_000)
}

@Test("Losing every other notification gives a coverage of 0.5") func everyOtherNotificationLost() {
  #expect(
    window(steady(0...60).filter { $0.arrival.truncatingRemainder(dividingBy: 2) == 0 }).coverage == 0.5)
}

@Test("Duplicate notifications give a coverage of 2") func duplicateNotifications() {
  #expect(window(steady(0...60).flatMap { [$0, $0] }).coverage == 2)
}

@Test("A gap longer than the window does not affect later coverage") func longGap() {
  #expect(window(steady(0...60) + [(4000, 1)]).coverage == nil)
  #expect(window(steady(0...60) + [(4000, 1), (4001, 1)]).coverage == 1)
}

@Test("A gap inside the window lowers coverage") func gapInsideWindow() {
  #expect(window(steady(0...30) + steady(51...60)).coverage == 40.0 / 60)
}

@Test("Notifications without intervals have a coverage of 0") func notificationsWithoutIntervals() {
  #expect(window((0...10).map { (Double($0), 0) }).coverage == 0)
}

@Test("Decreasing arrival times do not count as time") func decreasingArrivals() {
  #expect(window([(10, 1), (5, 1)]).coverage == nil)
  #expect(window([(10, 1), (5, 1), (6, 1)]).coverage == 1)
}

@Test("The lost-contact fraction excludes the oldest notification") func lostContactFraction() {
  #expect(window(steady(0...4), lost: []).contactLostFraction == 0)
  #expect(window(steady(0...4), lost: [0]).contactLostFraction == 0)
  #expect(window(steady(0...4), lost: [0, 4]).contactLostFraction == 0.25)
  #expect(window(steady(0...4), lost: [0, 1, 2, 3, 4]).contactLostFraction == 1)
  #expect(window(steady(0...100), lost: Set(0...20)).contactLostFraction == 0)
}
