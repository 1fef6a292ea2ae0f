import Dashboard
import Glibc
import LiveFeed
import NetworkCommands
import Outlets
import Platform

/// Sends live values to other programs.
struct Publish {
  let options: PublishOptions

  func run() async {
    signal(SIGPIPE, SIG_IGN)
    let run = PublishRun(await workers(), profile: options.profile)
    do throws(FileError) {
      if options.from != nil {
        run.run(lines: LineSource(descriptor: STDIN_FILENO))
      } else {
        try run.run(FeedReader(FeedDirectory(.current)))
      }
    } catch {
      fail("cannot read the live sessions: \(error)")
    }
  }

  /// The targets of the command line, else those of the setting `publish`.
  private func workers() async -> [TargetWorker] {
    let names = options.targets.isEmpty ? await configuredTargets() : options.targets
    let defaults = TargetDefaults(
      names: OSCNames(rawValue: options.names.rawValue) ?? .hr, environment: .current,
      profile: options.profile)
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

  private func configuredTargets() async -> [String] {
    do throws(NoMeasuringProgram) {
      let settings = await Settings(try MeasuringProgram.find())
      let targets = (settings.text("publish") ?? "").split(separator: " ").map(String.init)
      guard targets.isEmpty else { return targets }
    } catch { fail(error.description) }
    fail(
      "a target is missing, and the setting 'publish' has none. Example: stressmon publish osc://127.0.0.1:9000",
      status: 64)
  }
}
