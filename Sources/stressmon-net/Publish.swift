import Dashboard
import Fleet
import Glibc
import LiveFeed
import Localization
import NetworkCommands
import Outlets
import Platform
import Reports

/// Sends live values to other programs, and the history to fleets.
struct Publish {
  let options: PublishOptions

  func run() async {
    if let markers = options.markers { receive(String(markers.dropFirst("lsl:".count))) }
    if options.markers != nil, options.targets.isEmpty {
      let signals = SignalListener([SIGINT, SIGTERM])
      while signals.received == nil { _ = signals.wait(milliseconds: -1) }
      endProcess(with: signals.received ?? SIGTERM)
    }
    let targets = options.targets.isEmpty ? await configuredTargets() : options.targets
    let live = targets.filter { !FleetTargets.contains($0) }
    let profile = live.isEmpty ? nil : await storedProfile()
    let fleet = await fleetWorkers(targets.filter(FleetTargets.contains))
    check(hasLive: !live.isEmpty, hasFleet: !fleet.isEmpty)
    guard !live.isEmpty else { return FleetRun(fleet).run() }
    let commands = await OutletCommands(profile: profile, database: options.database)
    let run = PublishRun(
      workers(live, profile, commands), fleet, profile: profile, commands: commands,
      isVerbose: options.verbose)
    do throws(FileError) {
      if options.from != nil {
        run.run(lines: LineSource(descriptor: STDIN_FILENO))
      } else {
        try run.run(FeedReader(FeedDirectory(.current)))
      }
    } catch {
      fail(Phrase("cannot read the live sessions: \(error)"))
    }
  }

  /// Marks all running sessions with the markers of a stream of the Lab Streaming Layer.
  private func receive(_ stream: String) {
    LSLMarkerInlet(
      name: stream,
      onMarker: { text, time in
        let directory = FeedDirectory(.current)
        let replies = directory.send(.event(text: text, time: time), toEach: directory.sessions())
        if replies.isEmpty { printMessage(Phrase("not marked: no session is running")) }
        for case (_, .refused(let reason)) in replies {
          printMessage(Phrase("not marked: \(reason)"))
        }
      }, onState: { printMessage(Phrase("lsl:\(stream): \($0)"), .information) }
    ).run()
  }

  /// The stored name of the profile of `--profile`. Without the option, all profiles are published.
  ///
  /// An unknown profile is an error before a target is connected, which would announce a device of a person who does not
  /// exist. The lines of `--from` can come from another history. Fleets publish the profiles of their participants.
  private func storedProfile() async -> String? {
    guard let profile = options.profile, options.from == nil else { return options.profile }
    do {
      let location = try await Settings(MeasuringProgram.find()).location(options.database, .current)
      return try ProfileCheck(location).require(profile, from: .option)
    } catch let error as ReportError {
      fail(error.message)
    } catch {
      printWarning(Phrase("the profile cannot be checked: \(Phrase(describing: error))"))
      return profile
    }
  }

  /// Options that belong to targets of the other kind are usage errors.
  private func check(hasLive: Bool, hasFleet: Bool) {
    if hasFleet, options.from != nil {
      fail(Phrase("--from has no effect on nats:// targets, which publish the history; omit it"), status: 64)
    }
    if hasLive, options.untilCaughtUp {
      fail(
        Phrase(
          "--until-caught-up is possible with nats:// targets only; publish live values in another process"),
        status: 64)
    }
    if !hasFleet, options.participants != nil || options.database != nil {
      fail(
        Phrase(
          "--participants and --db require a nats:// target. Example: stressmon publish nats://127.0.0.1/STUDY"
        ),
        status: 64)
    }
  }

  private func workers(_ names: [String], _ profile: String?, _ commands: OutletCommands) -> [TargetWorker] {
    names.map { name in
      let target = target(name, profile)
      if let warning = target.warning { printWarning(warning) }
      return target.worker(named: name, lastNight: options.from == nil ? commands.lastNight : nil) {
        commands.perform($0)
      }
    }
  }

  private func target(_ name: String, _ profile: String?) -> PublishTarget {
    let defaults = TargetDefaults(
      names: OSCNames.list(options.names.rawValue) ?? [.hr], environment: .current, profile: profile)
    do throws(OutletError) { return try PublishTarget(name, defaults) } catch {
      fail(error.message, status: 64)
    }
  }

  /// Removes what brokers keep of the targets: the device of Home Assistant and its states.
  func remove() async {
    let profile = await storedProfile()
    for name in options.targets.isEmpty ? await configuredTargets() : options.targets {
      guard !FleetTargets.contains(name), let removal = target(name, profile).removal(named: name) else {
        continue
      }
      if let process = PublisherStatus.publishing(name, profile, .current) {
        fail(Phrase("process \(Int(process)) publishes to \(name); end it first with: kill \(Int(process))"))
      }
      await PublishRemoval(name: name, worker: removal.worker, messages: removal.messages).run()
    }
  }

  private func fleetWorkers(_ names: [String]) async -> [FleetWorker] {
    do throws(FleetError) {
      return try await FleetTargets(options, .current).workers(names)
    } catch {
      failFleet(error)
    }
  }

  /// The targets of the setting `publish`.
  private func configuredTargets() async -> [String] {
    do throws(NoMeasuringProgram) {
      let settings = await Settings(try MeasuringProgram.find())
      let targets = (settings.text("publish") ?? "").split(separator: " ").map(String.init)
      guard targets.isEmpty else { return targets }
    } catch { fail(error.message) }
    fail(
      Phrase(
        "a target is missing, and the setting 'publish' has none. Example: stressmon publish osc://127.0.0.1:9000"
      ),
      status: 64)
  }
}

/// Removes the retained messages of one target, and reports the result.
struct PublishRemoval {
  /// Time for the broker to acknowledge all messages, in ns.
  private static let limit: Int64 = 15_000_000_000

  let name: String
  let worker: TargetWorker
  /// Number of messages to acknowledge.
  let messages: Int

  func run() async {
    worker.run()
    let deadline = SystemClock.boot + Self.limit
    while worker.status.delivered < messages, SystemClock.boot < deadline, worker.status.lastError == nil {
      try? await Task.sleep(for: .milliseconds(20))
    }
    worker.finish()
    _ = worker.waitForEnd(seconds: 3)
    let status = worker.status
    guard status.delivered >= messages else {
      let reason = status.lastError ?? Phrase("the broker did not acknowledge the removal")
      fail(Phrase("\(name): \(reason)"))
    }
    printLine(localized("\(name): the device was removed"))
  }
}
