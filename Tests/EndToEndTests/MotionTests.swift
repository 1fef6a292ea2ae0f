import FakeBlueZ
import Glibc
import Simulator
import TestSupport
import Testing

/// Acceleration of a strap, from the control point to the output, and the end of its stream.
@Suite(.ownThreads) struct MotionTests {
  private func air(_ script: String = "walking") throws -> (Air, StrapControl) {
    let air = try Air()
    let strap = air.strap { strap in
      var sensors = FakeSensors(script: MotionScript(script)!)
      sensors.samplesPerFrame = 10
      strap.sensors = sensors
    }
    strap.stream(beats([700, 720, 710]), rate: 5)
    return (air, strap)
  }

  @Test func featuresAreOneLinePerSecondAndTheStreamStopsAtInterrupt() throws {
    let (air, strap) = try air()
    let path = air.home.file("walk.jsonl")
    let program = try air.live(strap, ["--record", path])
    try program.wait(for: 6, "motion")
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(strap.runningStreams == [])
    #expect(strap.sensorLog == ["start 2", "stop 2"])
    let motion = try live.json().of(type: "motion")
    #expect(motion.dropFirst(3).allSatisfy { $0["motion"]?.text == "walk" })
    #expect(motion.allSatisfy { ($0["mad_mg"]?.number ?? 0) > 45 })
    #expect(try live.json().of(type: "stream").map { $0["state"]?.text } == ["started"])
    let replay = try air.home.run("replay", path, "--speed", "max", "--json")
    #expect(replay.output == live.output)
  }

  @Test func killedSessionsStreamIsStoppedByDoctor() throws {
    let (air, strap) = try air()
    let program = try air.live(strap)
    #expect(holds { strap.sentFrames.count >= 2 })
    program.signal(SIGKILL)
    _ = try program.waitForExit()
    #expect(strap.runningStreams == [2])
    let stop = try air.home.run("doctor", "--stop-streams")
    #expect(stop.status == .exited(0))
    #expect(stop.output.contains(strap.address))
    #expect(strap.runningStreams == [])
  }

  @Test func doctorReportsAndStopsAStreamWithoutAReceiver() throws {
    let (air, strap) = try air()
    let program = try air.live(strap)
    #expect(holds { strap.sentFrames.count >= 2 })
    program.signal(SIGKILL)
    _ = try program.waitForExit()
    let doctor = try air.home.run("doctor", "--strap", strap.address)
    #expect(doctor.output.contains("still sending acceleration"))
    #expect(strap.runningStreams == [])
  }

  @Test func doctorLeavesTheStreamOfARunningSessionAlone() throws {
    let (air, strap) = try air()
    let program = try air.live(strap)
    #expect(holds { strap.sentFrames.count >= 2 })
    _ = try air.home.run("doctor", "--stop-streams")
    #expect(strap.runningStreams == [2])
    program.signal(SIGINT)
    _ = try program.outcome()
    #expect(strap.sensorLog == ["start 2", "stop 2"])
  }

  @Test func noMotionLeavesTheStreamOff() throws {
    let (air, strap) = try air()
    let program = try air.live(strap, ["--no-motion"])
    try program.wait(for: 10, "notification")
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(try live.json().of(type: "stream").isEmpty)
    #expect(strap.sensorLog.isEmpty)
  }

  @Test func recordWithECGStoresBothStreams() throws {
    let (air, strap) = try air()
    let path = air.home.file("ecg.jsonl")
    let program = try air.home.start(["record", path, "--json", "--ecg", "--strap", strap.address])
    #expect(holds { Set(strap.sentFrames.map { $0[0] }) == [0, 2] && strap.sentFrames.count >= 6 })
    program.signal(SIGINT)
    let outcome = try program.outcome()
    #expect(
      Set(try outcome.json().of(type: "stream").compactMap { $0["stream"]?.text }) == ["acceleration", "ecg"])
    #expect(strap.runningStreams == [])
  }

  @Test func simulatedActivityIsStoredAndReplayed() throws {
    let home = try Home()
    let live = try home.run(
      "live", "--json", "--simulate", "--speed", "max", "--duration", "240", "--activity",
      "breathing:120,walking:120")
    let session = try #require(try live.json()[0]["session"]?.text)
    let replay = try home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(replay.output == live.output)
    let measurements = try live.json().of(type: "measurement")
    #expect(measurements.last?["moving"]?.bool == true)
    let trends = try home.run("trends", "--json").json()
    #expect((trends.last?["walk_s"]?.number ?? 0) >= 110)
    #expect((trends.last?["still_s"]?.number ?? 0) >= 110)
    let text = try home.run(
      "live", "--plain", "--simulate", "--speed", "max", "--duration", "90", "--activity", "walking")
    #expect(text.output.contains("moving"))
  }

  @Test func comparisonWarnsOfMovementOnOneSide() throws {
    let home = try Home()
    for (name, activity) in [("still.jsonl", "breathing"), ("walk.jsonl", "walking")] {
      _ = try home.run(
        "record", home.file(name), "--json", "--simulate", "--speed", "max", "--duration", "180",
        "--activity", activity)
    }
    let warned = try home.run("compare", home.file("still.jsonl"), home.file("walk.jsonl"))
    #expect(warned.output.contains("The person moved for"))
    let still = try home.run("compare", home.file("still.jsonl"), home.file("still.jsonl"))
    #expect(!still.output.contains("The person moved for"))
  }
}
