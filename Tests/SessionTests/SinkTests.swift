import HeartRate
import LiveSession
import Stress
import Synchronization
import Testing

@testable import Session

@Suite struct SinkTests {
  @Test func aDeferredSinkIsCreatedByTheFirstNotificationAndReceivesAllEvents() {
    let sink = Collector()
    let count = Mutex(0)
    var deferred = DeferredSink {
      count.withLock { $0 += 1 }
      return sink
    }
    let searching = SessionEvent(at: .zero, .link(LinkChange(.searching)))
    _ = deferred.receive(.event(searching))
    #expect(count.withLock { $0 } == 0)
    _ = deferred.receive(.event(SecondsSource.event(1)))
    _ = deferred.receive(.event(SecondsSource.event(2)))
    #expect(count.withLock { $0 } == 1)
    #expect(sink.events == [searching, SecondsSource.event(1), SecondsSource.event(2)])
  }

  @Test func aSessionWithoutNotificationsIsMissingData() {
    let reception = Reception()
    reception.update(SessionEvent(at: .zero, .link(LinkChange(.searching))))
    guard case .noData(let limit, let link) = reception.error(after: .seconds(30)) else {
      Issue.record("no error")
      return
    }
    #expect(limit == .seconds(30) && link?.state == .searching)
    reception.update(SecondsSource.event(1))
    #expect(reception.error(after: .seconds(30)) == nil)
  }

  @Test func aReadingIsCompleteOnceItsLengthHasPassedAndItHasAScore() {
    let reading = Reading(length: .seconds(40))
    var engine = StressEngine()
    var completedAt: Double?
    for second in 1...120 {
      engine.update(SecondsSource.event(second)) { measurement in
        reading.update(measurement)
        if reading.isComplete, completedAt == nil { completedAt = measurement.time.seconds }
      }
    }
    // The first beat ends at 1 s.
    #expect(completedAt == 41)
    #expect(reading.result?.time.seconds == 41)
  }

  @Test func anIncompleteReadingHasNoResultIfItRequiresCompletion() {
    let (any, whole) = (
      Reading(length: .seconds(60)), Reading(length: .seconds(60), requiresCompletion: true)
    )
    var engine = StressEngine()
    for second in 1...45 {
      engine.update(SecondsSource.event(second)) { measurement in
        any.update(measurement)
        whole.update(measurement)
      }
    }
    #expect(any.result != nil && whole.result == nil)
  }

  @Test func anAlertIsPrintedOnceAndItsResolutionOnce() {
    let lines = Mutex<[String]>([])
    let alerts = SessionAlerts(print: { line in lines.withLock { $0.append(line) } }, warning: { _ in })
    alerts.report(.store, "the disk is full")
    alerts.report(.store, "the disk is full")
    #expect(alerts.current == ["the disk is full"])
    alerts.report(.store, nil, resolved: "written again")
    alerts.report(.store, nil, resolved: "written again")
    #expect(lines.withLock { $0 } == ["the disk is full", "written again"] && alerts.current.isEmpty)
  }

  @Test func theHeadStartOfASimulatedSessionDependsOnItsPace() {
    func source(_ pace: Pace) -> SessionSource { .simulated(SimulatedSource(pace: pace)) }
    #expect(source(.maximum).headStart(over: .seconds(600)) == .seconds(600))
    #expect(source(.times(10)).headStart(over: .seconds(600)) == .seconds(540))
    #expect(source(.times(1)).headStart(over: .seconds(600)) == .zero)
    #expect(source(.maximum).headStart(over: nil) == .zero)
  }
}
