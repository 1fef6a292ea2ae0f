package import ArgumentParser

/// A command of `stressmon-net`, declared once for both programs.
///
/// `stressmon` parses the arguments, prints help and errors, generates the man page and completions, and replaces itself with
/// `stressmon-net`, which runs the command.
package protocol NetworkCommand: ParsableCommand {
  /// What the arguments request.
  var request: NetworkRequest { get }
}

/// What `stressmon-net` runs.
package enum NetworkRequest: Sendable {
  case serve(ServeOptions)
  case addToken(name: String, scope: TokenScopeArgument, asJSON: Bool)
  case listTokens(asJSON: Bool)
  case removeToken(name: String)
  /// A URL that admits a browser to the server on a port. The default is the server that started last.
  case serverURL(port: Int?, asJSON: Bool)
  /// Shows a page of that server in the browser of the desktop.
  case openPage(String, profile: String?, port: Int?)
  case publish(PublishOptions)
  case listTargets(asJSON: Bool)
  /// Removes what the brokers of the targets keep.
  case removeDevices(PublishOptions)
  /// Stores the credentials of an invitation; nil reads its code from standard input or the terminal.
  case enroll(code: String?)
  case sync(SyncAction, SyncOptions)
  case collect(CollectAction)
}

/// The commands of `stressmon-net`.
package enum NetworkCommands {
  // The element type is that of ArgumentParser's parameter: converting an array to it takes 5 % of the time to start a command.
  package static let all: [any ParsableCommand.Type] = [
    ServeCommand.self, PublishCommand.self, SyncCommand.self, CollectCommand.self,
  ]

  /// The first word of each command. Unlike a cast to ``NetworkCommand``, it does not search all conformances of the program.
  package static let names = ["serve", "publish", "sync", "collect"]
}

let programName = "stressmon"
