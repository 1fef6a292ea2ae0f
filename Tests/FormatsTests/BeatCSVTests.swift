import HRV
import HeartRate
import Testing

@testable import Formats

@Suite struct BeatCSVTests {
  @Test func aTableOfBeatsIsExact() {
    let lengths: [(Int64, Verdict)] = [(78_125 * 820, .normal), (8, .short), (80_000 * 4000, .gap)]
    var end = SessionTime(ticks: -80_000_000)
    let beats = lengths.map { ticks, verdict in
      end = end + RRInterval(ticks: ticks)
      return Beat(end: end, rr: RRInterval(ticks: ticks), verdict: verdict, followsBreak: false)
    }
    #expect(
      String(decoding: BeatCSV(beats).bytes, as: UTF8.self) == """
        index,time_s,rr_ms,verdict
        0,-0.19921875,800.78125,normal
        1,-0.19921865,0.0001,short
        2,3.80078135,4000,gap

        """)
    #expect(BeatCSV([]).bytes == Array("index,time_s,rr_ms,verdict\n".utf8))
  }
}
