import HRV
package import History
package import Localization
package import Stress

extension MorningReport {
  /// The result in one sentence, followed by what is missing and what to do.
  package var sentences: [Phrase] {
    guard let assessment else { return [refusal] }
    return [
      assessment.verdict?.phrase, summary(assessment), assessment.advice, missing(assessment),
      outliers(assessment), standing,
      notCounted,
    ]
    .compactMap(\.self)
  }

  private var rmssd: String { result.reading.sums.rmssd?.fixed(1) ?? "-" }

  /// `HRV (RMSSD) 43.6 ms, within your normal 36-53; 7-day mean steady.`
  private func summary(_ assessment: MorningAssessment) -> Phrase {
    let normal = assessment.normal?.phrase(assessment.rmssd, today: assessment.day)
    let trend = assessment.week?.trend?.phrase
    return switch (normal, trend) {
    case (let normal?, let trend?): Phrase("HRV (RMSSD) \(rmssd) ms, \(normal); \(trend).")
    case (let normal?, nil): Phrase("HRV (RMSSD) \(rmssd) ms, \(normal).")
    case (nil, let trend?): Phrase("HRV (RMSSD) \(rmssd) ms; \(trend).")
    case (nil, nil): Phrase("HRV (RMSSD) \(rmssd) ms.")
    }
  }

  /// What the normal range still requires, if anything. Not known if the history cannot be read.
  private func missing(_ assessment: MorningAssessment) -> Phrase? {
    guard hasHistory else { return nil }
    guard case let count = assessment.missingForRange, count > 0 else { return nil }
    return NormalRange.Source.mornings.missing(count)
  }

  /// Why the number of missing mornings did not fall.
  private func outliers(_ assessment: MorningAssessment) -> Phrase? {
    guard hasHistory, assessment.missingForRange > 0, case let count = assessment.outliers, count > 0 else {
      return nil
    }
    return Phrase(
      "\(count) earlier morning differs too much from the others to count for it.",
      "\(count) earlier mornings differ too much from the others to count for it.", count: count)
  }

  private var standing: Phrase? {
    guard result.parts.count > 1 else { return nil }
    guard let rise = result.heartRateRise, let rmssd = result.parts[1].sums.rmssd else {
      let reason = result.parts[1].refusal.map(\.phrase) ?? Phrase("it is not valid")
      return Phrase("The standing part cannot be compared: \(reason).")
    }
    return Phrase("Standing: HRV \(rmssd.fixed(1)) ms, heart rate \(rise.signed(0)) bpm.")
  }

  private var notCounted: Phrase? {
    switch storage {
    case .declined, .withoutData: return Phrase("It is not added to the series, because nothing is stored.")
    case .failed(let error):
      return Phrase(
        "It is not stored and not added to the series: the history cannot be written (\(Phrase(known: error.reason)))."
      )
    case .stored, .partial: break
    }
    if counts { return nil }
    if let other {
      return Phrase(
        "It is stored but not added to the series: the reading of this day with HRV \(other.rmssd?.fixed(1) ?? "-") ms counts."
      )
    }
    if let error = storage.error {
      return Phrase(
        "It is stored in part and not added to the series: the history cannot be written (\(Phrase(known: error.reason)))."
      )
    }
    return Phrase("It is not added to the series: this profile has readings of a real strap.")
  }

  private var refusal: Phrase {
    let (reason, advice) = (result.reading.refusal ?? .fewBeats, result.reading.refusal?.advice)
    return Phrase(
      "This reading is not added to the series: \(reason.phrase). \(advice ?? StoredMorning.Refusal.fewBeats.advice)"
    )
  }
}

extension MorningAssessment {
  /// What to do after a morning reading. Three low mornings are the stronger evidence, and replace the advice for one.
  package var advice: Phrase? {
    isLow == true
      ? Phrase("Your last three mornings together are clearly lower than usual: plan some easy days.")
      : verdict?.level.advice
  }
}

extension MorningWeek.Trend {
  /// `7-day mean steady`
  package var phrase: Phrase {
    switch self {
    case .lower: Phrase("7-day mean lower")
    case .steady: Phrase("7-day mean steady")
    case .higher: Phrase("7-day mean higher")
    }
  }
}

extension StoredMorning.Refusal {
  /// Why a reading is not in the series.
  package var phrase: Phrase {
    switch self {
    case .interrupted: Phrase("it ended before its planned length")
    case .fewBeats: Phrase("there are too few normal beats")
    case .artefacts: Phrase("more than a tenth of the beats are not normal")
    case .motion: Phrase("you moved during the reading")
    case .exertion: Phrase("the heart rate is that of exertion or of recovery from it")
    case .sensor: Phrase("the sensor averages RR intervals instead of sending each beat")
    case .lowConfidence: Phrase("the confidence in its data is too low")
    }
  }

  /// What to do next.
  var advice: Phrase {
    switch self {
    case .interrupted: Phrase("Repeat it to the end with: \("stressmon morning")")
    case .fewBeats, .artefacts, .lowConfidence:
      Phrase("Moisten the electrodes, tighten the strap and repeat with: \("stressmon morning")")
    case .motion, .exertion:
      Phrase("Rest for five minutes, keep still and repeat with: \("stressmon morning")")
    case .sensor:
      Phrase("Use a chest strap that sends RR intervals; list those in range with: \("stressmon scan")")
    }
  }
}
