import ArgumentParser
import Dashboard
import JSONLines
import Platform

/// `stressmon serve token`.
struct ServeToken: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", _superCommandName: Serve.name,
    abstract: "Add, list and remove permanent tokens for other programs.",
    discussion: """
      Only a digest of each token is stored. Scopes: hr (/hr), metrics (/metrics), widget (/widget, /hr, /events), read \
      (everything that can be read).
      Example: stressmon serve token add prometheus --scope metrics
      """,
    subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

  static var store: TokenStore {
    guard let store = TokenStore(.current) else {
      fail("neither XDG_DATA_HOME nor HOME is set, so tokens cannot be stored; set HOME")
    }
    return store
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a token and print it; it cannot be printed again.",
      discussion: "Example: stressmon serve token add obs --scope hr")

    @Argument(help: "A name for the token, such as the program that uses it.")
    var name: String

    @Option(name: .long, help: "What the token permits: hr, metrics, widget or read.")
    var scope: TokenScope

    func run() throws {
      do throws(TokenStoreError) {
        printLine(try ServeToken.store.add(name, scope, at: SystemClock.wall).text)
      } catch {
        if case .invalidName = error { fail(error.description, status: 64) }
        fail(error.description)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the tokens, without their values.", discussion: "Example: stressmon serve token list")

    @Flag(name: .long, help: "Print one JSON object per token.")
    var json = false

    func run() throws {
      do throws(TokenStoreError) {
        for entry in try ServeToken.store.entries() {
          printLine(json ? Self.json(entry) : "\(entry.name)  \(entry.scope.rawValue)  \(entry.created)")
        }
      } catch { fail(error.description) }
    }

    private static func json(_ entry: TokenStore.Entry) -> String {
      var line = JSONLine()
      line.line { line in
        line.put("name", entry.name)
        line.put("scope", entry.scope.rawValue)
        line.put("created", entry.created)
      }
      return String(decoding: line.bytes.dropLast(), as: UTF8.self)
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a token; a running server rejects it at once.",
      discussion: "Example: stressmon serve token remove obs")

    @Argument(help: "The name of the token.")
    var name: String

    func run() throws {
      do throws(TokenStoreError) { try ServeToken.store.remove(name) } catch { fail(error.description) }
    }
  }
}

extension TokenScope: ExpressibleByArgument {
  package init?(argument: String) {
    guard let scope = TokenScope(rawValue: argument), TokenScope.storable.contains(scope) else { return nil }
    self = scope
  }

  package static var allValueStrings: [String] { storable.map(\.rawValue) }
}
