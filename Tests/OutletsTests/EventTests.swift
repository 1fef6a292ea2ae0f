import Crypto
import Glibc
import HeartRate
import JSONLines
import LiveSession
import Stress
import TestSupport
import Testing

@testable import Outlets

@Suite struct EventTests {
  private let second: Int64 = 1_000_000_000

  private func encoder(_ options: EventEncoder.Options = .init()) -> EventEncoder {
    EventEncoder(options) { WallTime(microseconds: 1_780_000_000_000_000) }
  }

  private func event(_ values: LiveValues) -> TimedEvent { TimedEvent(.values(values), at: 0) }

  @Test func valuesAreSentAtTheIntervalAndChangesAtOnce() throws {
    var encoder = encoder()
    #expect(encoder.encode(event(.example), at: 0).map(\.kind) == [.session, .category, .values])
    #expect(encoder.encode(event(.example), at: second) == [])
    #expect(encoder.nextDeadline == 10 * second)
    #expect(encoder.due(at: 10 * second).map(\.kind) == [.values])
    var high = LiveValues.example
    (high.category, high.stress) = (.high, 80)
    #expect(encoder.encode(event(high), at: 11 * second).map(\.kind) == [.category])
    let mark = encoder.encode(TimedEvent(.marker("stand \"up\""), at: 0), at: 12 * second)
    let object = try JSONObject(try #require(mark.first).body)
    #expect(
      object.text("type") == "mark" && object.text("text") == "stand \"up\"" && object.value("stress") == 80)
    let end = encoder.encode(event(.withdrawn), at: 13 * second)
    #expect(end.map(\.kind) == [.session] && encoder.nextDeadline == nil)
    let last = try JSONObject(try #require(end.first).body)
    #expect(last["live"].flatMap(last.boolean) == false && last.value("hr_bpm") == nil)
  }

  @Test func kindsAreSelected() throws {
    var options = EventEncoder.Options()
    options.kinds = [.mark]
    var encoder = encoder(options)
    #expect(encoder.encode(event(.example), at: 0) == [])
    #expect(encoder.encode(TimedEvent(.marker("a"), at: 0), at: 0).count == 1)
  }

  /// Test case 2 of RFC 4231.
  @Test func theSignatureIsHMACSHA256() {
    #expect(
      WebhookTransport.signature(
        Array("what do ya want for nothing?".utf8), SymmetricKey(data: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  private func message() -> EventEncoder.Message {
    EventEncoder.Message(kind: .mark, body: Array("{}".utf8))
  }

  @Test func aProgramReceivesTheEvent() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "#!/bin/sh\ncat > \(folder.path)/out; echo \"$1\" >> \(folder.path)/out\n", to: "run")
    #expect(chmod(script, 0o700) == 0)
    let transport = ProgramTransport(path: script, arguments: ["a b"])
    #expect(try transport.open())
    #expect(try transport.send(message()) == .delivered)
    #expect(try contents(of: folder.path + "/out") == Array("{}\na b\n".utf8))
  }

  @Test func aFailingProgramIsNamed() throws {
    let transport = ProgramTransport(path: "/bin/false", arguments: [])
    guard case .dropped(let error) = try transport.send(message()) else { return #expect(Bool(false)) }
    #expect(error.description.contains("/bin/false ended with the exit code 1"))
    #expect(throws: OutletError.self) { _ = try ProgramTransport(path: "/nowhere", arguments: []).open() }
  }

  @Test func aServerThatDoesNotAnswerIsRetriedAndTheQueueIsBounded() throws {
    let transport = WebhookTransport(options: WebhookOptions(host: "127.0.0.1", port: 1, path: "/"))
    for _ in 0..<WebhookTransport.queueLimit { #expect(try transport.send(message()) == .pending) }
    guard case .dropped = try transport.send(message()) else { return #expect(Bool(false)) }
    guard case .warned(let error)? = try transport.service().first else { return #expect(Bool(false)) }
    #expect(error.description.contains("http://127.0.0.1:1/"))
    #expect(try transport.service() == [] && transport.pendingCount == WebhookTransport.queueLimit)
  }
}
