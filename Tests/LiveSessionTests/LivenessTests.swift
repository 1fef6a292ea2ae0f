import HeartRate
import LiveSession
import Testing

@Suite("Values are live only while the strap is connected and has sent a measurement since")
struct LivenessTests {
  private func after(_ changes: (inout Liveness) -> Void) -> Bool {
    var liveness = Liveness()
    changes(&liveness)
    return liveness.isLive
  }

  @Test(
    "Every state other than connected makes earlier values stale",
    arguments: LinkChange.State.allCases)
  func states(state: LinkChange.State) {
    let isLive = after {
      $0.update(LinkChange(.connected))
      $0.receiveMeasurement()
      $0.update(LinkChange(state))
    }
    #expect(isLive == (state == .connected) && isLive == state.hasLiveData)
  }

  @Test("A connection without data is stale") func connectedWithoutData() {
    #expect(!after { $0.update(LinkChange(.connected)) })
  }

  @Test("After a reconnection, values are live from the first new measurement") func reconnection() {
    var liveness = Liveness()
    liveness.receiveMeasurement()
    for state in [LinkChange.State.lost, .searching, .connecting, .connected] {
      liveness.update(LinkChange(state))
      #expect(!liveness.isLive, "\(state)")
    }
    liveness.update(
      HeartRateMeasurement(heartRate: 60, contact: .detected, rrIntervals: RRIntervals(gattUnits: [])))
    #expect(!liveness.isLive)
    liveness.receiveMeasurement()
    #expect(liveness.isLive)
  }

  @Test("The heart rate of a sensor without RR intervals is live when it arrives") func withoutRR() {
    let rate = HeartRateMeasurement(
      heartRate: 60, contact: .detected, rrIntervals: RRIntervals(gattUnits: []))
    #expect(after { $0.update(rate) })
    #expect(
      !after {
        $0.update(rate)
        $0.update(LinkChange(.lost))
        $0.update(LinkChange(.connected))
      })
  }
}
