import HRV

/// Annotation codes of the MIT format that stressmon writes and reads.
///
/// An RR interval does not show the origin of a beat, so V and A state only how the interval was classified.
///
/// Source: Moody, WFDB Programmer's Guide, annotation codes (ecgcodes.h).
enum WFDBCode {
  static let normal = 1
  static let ventricular = 5
  static let atrial = 8
  static let unclassifiable = 13
  /// `~`: change in signal quality; the subtype -1 means that no signal is available.
  static let noise = 14
  /// `|`: isolated QRS-like artefact.
  static let artefact = 16
  /// `"`: a comment.
  static let note = 22

  /// The beat annotations of all programs.
  static let beats = Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25, 30, 34, 35, 38, 41])

  /// Pseudo-annotations.
  static let skip = 59
  static let number = 60
  static let subtype = 61
  static let channel = 62
  static let auxiliary = 63

  /// The code of the peak that ends an interval with this verdict; nil begins a run.
  static func code(_ verdict: Verdict?) -> Int {
    switch verdict {
    case nil, .normal?, .gap?: normal
    case .ectopic?: ventricular
    case .short?: atrial
    case .missed?, .long?: unclassifiable
    case .extra?: artefact
    }
  }
}
