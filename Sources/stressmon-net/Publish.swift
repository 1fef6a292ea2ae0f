import ArgumentParser
import Dashboard
import Glibc
import LiveFeed
import Outlets
import Platform

/// Sends live values to other programs.
struct Publish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", _superCommandName: "stressmon",
    abstract:
      "Send live values to other programs: OSC (VRChat), MQTT (Home Assistant), LSL, files and FIFOs.",
    discussion: """
      Publishes the live session of this user as long as it runs; start one with 'stressmon live' or the service. Values that \
      are not live are withdrawn. A failed target is retried and does not affect the others. Without targets, those of the \
      setting 'publish' are used. Targets:

      osc://HOST:PORT[?names=heartrate]   OSC over UDP (default 127.0.0.1:9000)
      mqtt://HOST[:PORT][/ID][?credentials=FILE]
      mqtts://HOST[:PORT][/ID][?credentials=FILE&ca=FILE&cert=FILE&key=FILE]
      file:PATH[?value=stress]            only the number: hr, stress or rmssd
      lsl:[NAME]                          streams of the Lab Streaming Layer (requires liblsl)

      Example: stressmon publish osc://
      Example: stressmon publish mqtt://192.168.1.5 file:/run/user/1000/hr
      Example: stressmon live --simulate --json | stressmon publish --from - osc://
      Example: stressmon publish --list
      """,
    version: programVersion)

  @Argument(help: ArgumentHelp("Where to send values to.", valueName: "target"))
  var targets: [String] = []

  @Option(name: .long, help: "Read the lines of 'live --json' from standard input (-), and end with them.")
  var from: String?

  @Option(
    name: .long, help: "The names of OSC parameters: hr (HR, isHRBeat, ...) or heartrate (HeartRateInt, ...)."
  )
  var names = OSCNames.hr

  @Option(name: .long, help: "Publish the sessions of this profile only.")
  var profile: String?

  @Flag(name: .long, help: "Print the state of each target of the running processes.")
  var list = false

  @Flag(name: .long, help: "With --list: print one JSON object per target.")
  var json = false

  func validate() throws {
    if let from, from != "-" {
      throw ValidationError(
        "'--from \(from)' is not valid: only - (standard input) is. Example: --from - < lines.jsonl")
    }
    if list, !targets.isEmpty || from != nil {
      throw ValidationError("--list takes no targets and no --from. Example: stressmon publish --list")
    }
    if json, !list {
      throw ValidationError("--json requires --list. Example: stressmon publish --list --json")
    }
  }

  func run() async throws {
    if list { return PublishList(isJSON: json).run() }
    signal(SIGPIPE, SIG_IGN)
    let run = PublishRun(try await workers(), profile: profile)
    do throws(FileError) {
      if from != nil {
        run.run(lines: LineSource(descriptor: STDIN_FILENO))
      } else {
        try run.run(FeedReader(FeedDirectory(.current)))
      }
    } catch {
      fail("cannot read the live sessions: \(error)")
    }
  }

  /// The targets of the command line, else those of the setting `publish`.
  private func workers() async throws -> [TargetWorker] {
    let names = try targets.isEmpty ? await configuredTargets() : targets
    let defaults = TargetDefaults(names: self.names, environment: .current, profile: profile)
    return names.map { name in
      do throws(OutletError) {
        let target = try PublishTarget(name, defaults)
        if let warning = target.warning { printDiagnostic("stressmon: warning: \(warning)") }
        return target.worker(named: name)
      } catch {
        fail(error.description, status: 64)
      }
    }
  }

  private func configuredTargets() async throws -> [String] {
    do throws(NoMeasuringProgram) {
      let settings = await Settings(try MeasuringProgram.find())
      let targets = (settings.text("publish") ?? "").split(separator: " ").map(String.init)
      guard targets.isEmpty else { return targets }
    } catch { fail(error.description) }
    throw ValidationError(
      "a target is missing, and the setting 'publish' has none. Example: stressmon publish osc://127.0.0.1:9000"
    )
  }
}

extension OSCNames: ExpressibleByArgument {}
