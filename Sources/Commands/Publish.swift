import ArgumentParser
import Localization

/// Replaces the process with `stressmon-net publish`, so that this program contains no network code.
struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", _superCommandName: Stressmon.name,
    abstract: "Send live values to VRChat (OSC), Home Assistant (MQTT), LSL and files (stressmon-net).",
    discussion: """
      Runs the program stressmon-net, which publishes the live session of this user. 'stressmon publish --help' lists all \
      options and the forms of a target.
      Example: stressmon publish osc://127.0.0.1:9000
      Example: stressmon publish mqtt://192.168.1.5 file:/run/user/1000/hr
      Example: stressmon publish --from - osc://    reads the lines of 'live --json' from standard input
      Example: stressmon publish --list    state and counts of each target
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The targets and options of stressmon-net publish.", valueName: "targets"))
  var arguments: [String] = []

  func run() throws {
    throw NetworkProgram.failure(NetworkProgram.replaceProcess(["publish"] + arguments))
  }
}
