package import DBus

/// The interface of running sessions on the session bus (docs/reference/dbus.md).
package enum StressmonInterface {
  package static let name = "org.stressmon.Stressmon1"
  package static let path = "/org/stressmon/Stressmon1"

  package static let object = ServedObject(path: path, interface: name, introspection: introspection)

  /// The property whose changes are not signalled, because it changes all the time.
  package static let unsignalled: Set = ["Age"]

  /// Errors of the methods.
  package enum Failure: String, Sendable {
    case notLive = "NotLive"
    case busy = "Busy"
    case notPossible = "NotPossible"
  }

  package static func error(_ failure: Failure, _ message: String) -> BusError {
    BusError(name: "\(name).Error.\(failure.rawValue)", message: message)
  }

  /// The content of Packaging/desktop/org.stressmon.Stressmon1.xml.
  package static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node name="/org/stressmon/Stressmon1">
      <interface name="org.stressmon.Stressmon1">
        <property name="State" type="s" access="read"/>
        <property name="Stress" type="d" access="read"/>
        <property name="Category" type="s" access="read"/>
        <property name="Confidence" type="d" access="read"/>
        <property name="HeartRate" type="d" access="read"/>
        <property name="HRV" type="d" access="read"/>
        <property name="Age" type="d" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
        </property>
        <property name="Person" type="s" access="read"/>
        <method name="StartReading">
          <arg name="seconds" type="d" direction="out"/>
        </method>
        <method name="StartBreathing"/>
        <method name="Mark">
          <arg name="text" type="s" direction="in"/>
          <arg name="session_time" type="d" direction="out"/>
        </method>
        <signal name="Changed">
          <arg name="state" type="s"/>
          <arg name="stress" type="d"/>
          <arg name="category" type="s"/>
          <arg name="confidence" type="d"/>
          <arg name="heart_rate" type="d"/>
          <arg name="hrv" type="d"/>
        </signal>
        <signal name="ReadingFinished">
          <arg name="stress" type="d"/>
          <arg name="category" type="s"/>
          <arg name="confidence" type="d"/>
          <arg name="heart_rate" type="d"/>
          <arg name="hrv" type="d"/>
        </signal>
      </interface>
      <interface name="org.freedesktop.DBus.Properties">
        <method name="Get">
          <arg name="interface" type="s" direction="in"/>
          <arg name="name" type="s" direction="in"/>
          <arg name="value" type="v" direction="out"/>
        </method>
        <method name="GetAll">
          <arg name="interface" type="s" direction="in"/>
          <arg name="values" type="a{sv}" direction="out"/>
        </method>
        <method name="Set">
          <arg name="interface" type="s" direction="in"/>
          <arg name="name" type="s" direction="in"/>
          <arg name="value" type="v" direction="in"/>
        </method>
        <signal name="PropertiesChanged">
          <arg name="interface" type="s"/>
          <arg name="changed" type="a{sv}"/>
          <arg name="invalidated" type="as"/>
        </signal>
      </interface>
      <interface name="org.freedesktop.DBus.Introspectable">
        <method name="Introspect">
          <arg name="xml" type="s" direction="out"/>
        </method>
      </interface>
      <interface name="org.freedesktop.DBus.Peer">
        <method name="Ping"/>
        <method name="GetMachineId">
          <arg name="id" type="s" direction="out"/>
        </method>
      </interface>
    </node>

    """
}
