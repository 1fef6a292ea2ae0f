import Dashboard
import HeartRate
import JSONLines
import Localization
import NetworkCommands
import Platform

/// Adds, lists and removes permanent tokens, for `stressmon serve token`.
enum ServeToken {
  private static var store: TokenStore { .tokens(.current) }

  static func add(_ name: String, _ scope: TokenScopeArgument, asJSON: Bool) {
    guard let scope = TokenScope(rawValue: scope.rawValue) else {
      fail(Phrase("unknown scope \(scope.rawValue)"), status: 64)
    }
    do throws(TokenStoreError) {
      let created = SystemClock.wall
      let token = try store.add(name, scope, at: created).text
      printLine(asJSON ? json(name, scope, created.rfc3339, token: token) : token)
    } catch {
      if case .invalidName = error { fail(error.message, status: 64) }
      fail(error.message)
    }
  }

  static func list(asJSON: Bool) {
    do throws(TokenStoreError) {
      for entry in try store.entries() {
        printLine(
          asJSON
            ? json(entry.name, entry.scope, entry.created)
            : "\(entry.name)  \(entry.scope.rawValue)  \(entry.created)")
      }
    } catch { fail(error.message) }
  }

  static func remove(_ name: String) {
    do throws(TokenStoreError) { try store.remove(name) } catch { fail(error.message) }
  }

  /// - Parameter token: the token itself, which only its addition prints.
  private static func json(_ name: String, _ scope: TokenScope, _ created: String, token: String? = nil)
    -> String
  {
    var line = JSONLine()
    line.line { line in
      line.put("name", name)
      line.put("scope", scope.rawValue)
      line.put("created", created)
      if let token { line.put("token", token) }
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}
