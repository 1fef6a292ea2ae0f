import Dashboard
import JSONLines
import Localization
import NetworkCommands
import Platform

/// Adds, lists and removes permanent tokens, for `stressmon serve token`.
enum ServeToken {
  private static var store: TokenStore { .tokens(.current) }

  static func add(_ name: String, _ scope: TokenScopeArgument) {
    guard let scope = TokenScope(rawValue: scope.rawValue) else {
      fail(localized("unknown scope \(scope.rawValue)"), status: 64)
    }
    do throws(TokenStoreError) {
      printLine(try store.add(name, scope, at: SystemClock.wall).text)
    } catch {
      if case .invalidName = error { fail(error.description, status: 64) }
      fail(error.description)
    }
  }

  static func list(asJSON: Bool) {
    do throws(TokenStoreError) {
      for entry in try store.entries() {
        printLine(asJSON ? json(entry) : "\(entry.name)  \(entry.scope.rawValue)  \(entry.created)")
      }
    } catch { fail(error.description) }
  }

  static func remove(_ name: String) {
    do throws(TokenStoreError) { try store.remove(name) } catch { fail(error.description) }
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
