import HeartRate
import Platform
import SessionData

extension FileSession {
  /// When it began, and how far clocks were from UTC there; nil where its file does not say when. Times without a zone
  /// are taken as those of here.
  var started: (time: WallTime, zone: LocalZone)? {
    switch start {
    case .absolute(let time, let utcOffset):
      return (time, utcOffset.map(LocalZone.init(utcOffset:)) ?? LocalZone(at: time))
    case .local(let reading):
      let time = LocalTime.time(when: reading)
      return (time, LocalZone(at: time))
    case nil: return nil
    }
  }
}
