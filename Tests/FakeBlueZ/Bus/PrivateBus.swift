import Glibc
import TestSupport

/// A private `dbus-daemon` on a socket in a temporary folder. Ends with the last reference or with the process. Used by one
/// test at a time.
package final class PrivateBus {
  /// The permissions of the clients.
  package enum Policy: Sendable {
    case everything
    /// Calls to org.bluez are answered with AccessDenied, "Rejected send message".
    case noCallsToBlueZ
  }

  /// The value for `DBUS_SYSTEM_BUS_ADDRESS`; unchanged by a restart.
  package let address: String
  private let folder: TemporaryFolder
  private var daemon: Program?

  /// Starts the daemon and waits until it listens.
  package init(policy: Policy = .everything) throws {
    folder = try TemporaryFolder(prefix: "private-bus")
    address = "unix:path=" + folder.file("socket")
    try start(policy: policy)
  }

  deinit { stop() }

  /// Ends the daemon, which closes the connections of all clients.
  package func stop() {
    // The end of its stdin makes the shell end the daemon and itself.
    daemon?.closeInput()
    _ = try? daemon?.waitForExit()
    daemon = nil
  }

  /// Restarts a stopped daemon at the same address.
  package func start(policy: Policy = .everything) throws {
    let configuration = try folder.write(Self.configuration(address, policy), to: "bus.conf")
    unlink(folder.file("socket"))
    // PR_SET_PDEATHSIG would follow the thread that starts the child. A pipe follows the process.
    let script =
      #"dbus-daemon --config-file="$1" --nofork --nopidfile --print-address=1 & read -r _; kill $!; wait"#
    let daemon = try Program("/bin/sh", ["-c", script, "private-bus", configuration])
    try daemon.waitForLine { $0.hasPrefix("unix:path=") }
    self.daemon = daemon
  }

  // Without receive_sender the daemon answers "Rejected receive message, 0 matched rules".
  private static func configuration(_ address: String, _ policy: Policy) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_destination="*" eavesdrop="true"/>
        <allow receive_sender="*" eavesdrop="true"/>
        \(policy == .noCallsToBlueZ ? #"<deny send_destination="org.bluez"/>"# : "")
      </policy>
    </busconfig>

    """
  }
}
