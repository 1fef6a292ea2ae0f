package import ArgumentParser
import Localization

/// `stressmon serve token`.
package struct ServeTokenCommand: NetworkCommand {
  package static let configuration = CommandConfiguration(
    commandName: "token", _superCommandName: ServeCommand.name,
    abstract: localized("Add, list and remove permanent tokens for other programs."),
    discussion: localized(
      """
      Only a digest of each token is stored. Scopes: hr (/hr), metrics (/metrics), widget (/widget, /hr, /events), \
      read (everything that can be read), write (read, and add journal entries, marks and readings).
      """) + "\n"
      + examples(
        "stressmon serve token add prometheus --scope metrics", "stressmon serve token add deck --scope write"
      ),
    subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

  package init() {}

  package var request: NetworkRequest { .listTokens(asJSON: false) }

  struct Add: NetworkCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: localized("Add a token and print it; it cannot be printed again."),
      discussion: examples("stressmon serve token add obs --scope hr"))

    /// Receives the flag, which 'serve' has, too.
    @ParentCommand var serve: ServeCommand

    @Argument(help: .localized("A name for the token, such as the program that uses it."))
    var name: String

    @Option(name: .long, help: .localized("What the token permits: hr, metrics, widget, read or write."))
    var scope: TokenScopeArgument

    @Flag(name: .long, help: .localized("Print the token and its properties as one JSON object."))
    var json = false

    func validate() throws { try serve.options.requireUnused(except: "--json") }

    var request: NetworkRequest { .addToken(name: name, scope: scope, asJSON: json || serve.options.json) }
  }

  struct List: NetworkCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: localized("List the tokens, without their values."),
      discussion: examples("stressmon serve token list"))

    /// Receives the flag, which 'serve' has, too.
    @ParentCommand var serve: ServeCommand

    @Flag(name: .long, help: .localized("Print one JSON object per token."))
    var json = false

    func validate() throws { try serve.options.requireUnused(except: "--json") }

    var request: NetworkRequest { .listTokens(asJSON: json || serve.options.json) }
  }

  struct Remove: NetworkCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: localized("Remove a token; a running server rejects it at once."),
      discussion: examples("stressmon serve token remove obs"))

    @ParentCommand var serve: ServeCommand

    @Argument(
      help: .localized("The name of the token."),
      completion: .shellCommand("stressmon serve token list 2> /dev/null | cut -d ' ' -f 1"))
    var name: String

    func validate() throws { try serve.options.requireUnused() }

    var request: NetworkRequest { .removeToken(name: name) }
  }
}

/// The scopes of permanent tokens.
package enum TokenScopeArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
  case hr
  case metrics
  case widget
  case read
  case write
}
