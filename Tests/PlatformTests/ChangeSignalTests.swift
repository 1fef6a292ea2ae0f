import Platform
import Testing

@Suite(.timeLimit(.minutes(30))) struct ChangeSignalTests {
  @Test func aChangeBetweenTheCreationOfTheStreamAndTheWaitEndsTheWait() async {
    let signal = ChangeSignal()
    let changes = signal.changes()
    signal.notify()
    await ChangeSignal.wait(for: changes, atMost: .seconds(3600))
  }

  @Test func theWaitEndsAtItsLimitWithoutAChange() async {
    let signal = ChangeSignal()
    let start = ContinuousClock.now
    await ChangeSignal.wait(for: signal.changes(), atMost: .milliseconds(20))
    #expect(start.duration(to: .now) >= .milliseconds(20))
  }

  @Test func everyStreamReceivesAChangeAndEndsWithTheSignal() async {
    let signal = ChangeSignal()
    let streams = [signal.changes(), signal.changes(yieldsImmediately: true)]
    signal.notify()
    signal.finish()
    for stream in streams {
      var count = 0
      for await _ in stream { count += 1 }
      #expect(count == 1)
    }
    var late = 0
    for await _ in signal.changes() { late += 1 }
    #expect(late == 0)
  }
}
