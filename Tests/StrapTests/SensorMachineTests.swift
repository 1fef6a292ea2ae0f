import HeartRate
import Testing

@testable import Strap

/// Drives a ``SensorStreamMachine`` and answers its operations.
private struct Course {
  var machine: SensorStreamMachine
  var now = Duration.zero
  var writes: [[UInt8]] = []
  var reports: [SensorStreamChange] = []
  var isShared = false
  var failures: [LinkFailure?] = []
  var startErrors: [UInt8] = []
  var answers = true
  var features: UInt8 = 0x05

  init(_ wanted: [SensorStream]) { machine = SensorStreamMachine(wanted: wanted) }

  mutating func handle(_ event: SensorStreamMachine.Event) {
    for action in machine.handle(event, at: now) {
      switch action {
      case .report(let change): reports.append(change)
      case .begin(.subscribe, let ticket):
        let failure = failures.isEmpty ? nil : failures.removeFirst()
        handle(.completed(ticket: ticket, failure, value: [isShared ? 1 : 0]))
      case .begin(.readFeatures, let ticket):
        handle(.completed(ticket: ticket, nil, value: [0x0F, features]))
      case .begin(.write(let value), let ticket):
        writes.append(value)
        // The indication may precede the acknowledgement of the write.
        if answers { handle(.response([0xF0, value[0], value[1], error(value), 0])) }
        handle(.completed(ticket: ticket, nil, value: []))
      }
    }
  }

  private mutating func error(_ request: [UInt8]) -> UInt8 {
    request[0] == 2 && !startErrors.isEmpty ? startErrors.removeFirst() : 0
  }

  mutating func tick() {
    guard let due = machine.nextDeadline else { return }
    now = due
    handle(.tick)
  }

  var operations: [[UInt8]] { writes.map { Array($0.prefix(2)) } }
}

@Test func leftoverStreamsAreStoppedBeforeTheStart() {
  var course = Course([.acceleration])
  course.handle(.linked)
  #expect(course.operations == [[3, 0], [3, 2], [1, 2], [2, 2]])
  #expect(course.reports.map(\.state) == [.started])
  #expect(Array(course.machine.started.keys) == [.acceleration])
}

@Test func streamsOfAnotherProgramAreNotStopped() {
  var course = Course([.acceleration])
  (course.isShared, course.startErrors) = (true, [6])
  course.handle(.linked)
  #expect(course.operations == [[1, 2], [2, 2]])
  #expect(course.reports.map(\.state) == [.started])
  #expect(course.machine.started.isEmpty)
}

@Test func runningStreamIsStoppedAndStartedAgain() {
  var course = Course([.acceleration])
  course.startErrors = [6]
  course.handle(.linked)
  #expect(course.operations.suffix(3) == [[2, 2], [3, 2], [2, 2]])
  #expect(course.reports.map(\.state) == [.started])
}

@Test(arguments: [(UInt8(10), "MTU"), (3, "does not support"), (13, "charger")])
func refusedStartIsReportedWithItsReason(_ code: UInt8, _ reason: String) {
  var course = Course([.acceleration])
  course.startErrors = [code]
  course.handle(.linked)
  #expect(course.reports.map(\.state) == [.unavailable])
  #expect(course.reports[0].reason?.contains(reason) == true)
  #expect(course.machine.started.isEmpty)
}

@Test func unpairedStrapIsReportedAndOtherFailuresAreRetried() {
  var course = Course([.acceleration])
  course.failures = [
    LinkFailure(kind: .transient, message: "busy"), LinkFailure(kind: .needsPairing, message: "Not paired"),
  ]
  course.handle(.linked)
  #expect(course.reports.isEmpty)
  course.tick()
  #expect(course.reports.map(\.state) == [.unavailable])
  #expect(course.reports[0].reason?.contains("pair") == true)
}

@Test func startWithoutAnAnswerCountsAsStarted() {
  var course = Course([.acceleration])
  course.answers = false
  course.handle(.linked)
  for _ in 0..<4 { course.tick() }
  #expect(course.reports.map(\.state) == [.started])
  #expect(Array(course.machine.started.keys) == [.acceleration])
}

@Test func firstFrameMayTakeThirtySeconds() {
  var course = Course([.ecg])
  course.handle(.linked)
  course.now += .seconds(30)
  course.handle(.frame(.ecg))
  #expect(course.reports.map(\.state) == [.started])
  #expect(course.machine.nextDeadline == course.now + .seconds(60))
}

@Test func silentStreamIsStartedAgain() {
  var course = Course([.acceleration])
  course.handle(.linked)
  course.tick()
  #expect(course.operations.suffix(3) == [[3, 2], [1, 2], [2, 2]])
  #expect(course.reports.map(\.state) == [.started, .stopped, .started])
}

@Test func twoEarlyLossesWithBothStreamsLeaveTheECGAlone() {
  var course = Course([.acceleration, .ecg])
  for _ in 0..<2 {
    course.handle(.linked)
    #expect(course.machine.started.count == 2)
    course.now += .seconds(20)
    course.handle(.unlinked)
  }
  course.handle(.linked)
  #expect(Array(course.machine.started.keys) == [.ecg])
  #expect(course.reports.contains { $0.stream == .acceleration && $0.state == .unavailable })
}

@Test func pulseIntervalsAreRequestedOnceRRIntervalsAreMissing() {
  var course = Course([.acceleration, .ppi])
  course.features = 0x0C
  course.handle(.linked)
  #expect(course.operations == [[3, 2], [3, 3], [1, 2], [2, 2]])
  course.handle(.intervalsMissing)
  #expect(course.writes.suffix(1) == [[2, 3]])
  #expect(course.machine.started.keys.map(\.name).sorted() == ["acceleration", "ppi"])
  course.handle(.unlinked)
  course.handle(.linked)
  #expect(course.operations.suffix(3) == [[1, 2], [2, 2], [2, 3]])
}

@Test func strapWithoutPulseIntervalsIsNotAskedForThem() {
  var course = Course([.acceleration, .ppi])
  course.handle(.linked)
  course.handle(.intervalsMissing)
  #expect(course.operations == [[3, 0], [3, 2], [1, 2], [2, 2]])
  #expect(course.reports.map(\.stream) == [.acceleration])
}

@Test func missingIntervalsAreDetectedOnceAfterTwentyNotifications() {
  var missing = MissingIntervals()
  let withoutRate: [UInt8] = [0x00, 0]
  let isMissing = (0..<40).map { _ in missing.update(withoutRate) }
  #expect(!isMissing.contains(true))
  let found = (0..<40).map { _ in missing.update([0x00, 72]) }
  #expect(found.firstIndex(of: true) == 19 && found.count { $0 } == 1)
  var sending = MissingIntervals()
  let payloads = [[0x10, 72, 0x40, 0x03]] + Array(repeating: [UInt8(0x00), 72], count: 40)
  let isSending = payloads.map { sending.update($0) }
  #expect(!isSending.contains(true))
}

@Test func eventsInAnyOrderNeverTrapAndUnlinkEndsAllStreams() {
  var random = SplitMixForTests(state: 4)
  for _ in 0..<300 {
    var machine = SensorStreamMachine(wanted: [.acceleration, .ecg, .ppi])
    var now = Duration.zero
    for _ in 0..<60 {
      now += .milliseconds(Int(random.next() % 9000))
      let events: [SensorStreamMachine.Event] = [
        .linked, .unlinked, .intervalsMissing, .tick, .frame(.ecg), .frame(.ppi),
        .response([0xF0, UInt8(random.next() % 4), 2, UInt8(random.next() % 14), 0]),
        .response([]), .completed(ticket: Int(random.next() % 20), nil, value: [0x0F, 0x05]),
        .completed(ticket: Int(random.next() % 20), LinkFailure(kind: .busy, message: ""), value: []),
      ]
      _ = machine.handle(events[Int(random.next() % UInt64(events.count))], at: now)
    }
    _ = machine.handle(.unlinked, at: now)
    #expect(machine.started.isEmpty && machine.nextDeadline == nil)
  }
}

private struct SplitMixForTests {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
