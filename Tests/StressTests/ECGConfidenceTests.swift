import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// The confidence of a session whose electrocardiogram verifies its beats.
@Suite struct ECGConfidenceTests {
  private static func measurements(_ events: [SessionEvent]) -> [StressMeasurement] {
    var engine = StressEngine()
    var found: [StressMeasurement] = []
    for event in events { engine.update(event) { found.append($0) } }
    return found
  }

  private static func stream(_ reason: String?) -> SessionEvent {
    SessionEvent(
      at: .zero,
      .stream(SensorStreamChange(.ecg, .started, settings: SensorSettings(rate: 130), reason: reason)))
  }

  /// A missed beat and an extra one lower the confidence of provisional verdicts.
  private static let disturbed: [SessionEvent] = {
    var detected = ECGSession.peaks
    detected.remove(at: 60)
    detected.insert(detected[90] + 0.35, at: 91)
    return ECGSession.events(detected)
  }()

  @Test func anElectrocardiogramThatVerifiesNothingChangesNoBit() {
    let without = Self.disturbed.filter { if case .sensorFrame = $0.kind { false } else { true } }
    let plain = Self.measurements(without)
    #expect(Self.measurements(Self.disturbed) == plain)
    #expect(Self.measurements([Self.stream(nil)] + Self.disturbed) == plain)
    #expect(Self.measurements([Self.stream("not confirmed by the strap")] + Self.disturbed) == plain)
  }

  @Test func verifiedBeatsRemoveTheUncertaintyOfProvisionalVerdicts() throws {
    let plain = Self.measurements(Self.disturbed)
    let verified = Self.measurements([Self.stream(SensorStreamChange.verification)] + Self.disturbed)
    #expect(plain.count == verified.count)
    // The values themselves do not change.
    #expect(zip(plain, verified).allSatisfy { $0.score == $1.score && $0.verdict == $1.verdict })
    #expect(zip(plain, verified).allSatisfy { $0.confidence.value <= $1.confidence.value + 1e-12 })
    let (before, after) = (try #require(plain.last), try #require(verified.last))
    for factor in [Confidence.Factor.abnormalBeats, .tail, .noise] {
      let (old, new) = (before.confidence[factor] ?? 1, after.confidence[factor] ?? 1)
      #expect(1 - new <= 0.2 * (1 - old) + 1e-12, "\(factor.rawValue): \(old) \(new)")
    }
    #expect(before.confidence[.lostData] == after.confidence[.lostData])
  }
}
