import CDBus

/// Owns one reference to a libdbus message. Confined to the thread of its connection, as libdbus does not lock the contents
/// of a message.
@safe package final class DBusMessage {
  package enum Kind: CInt, Sendable {
    case invalid, call, reply, error, signal
  }

  let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe dbus_message_unref(pointer) }

  package var kind: Kind { unsafe Kind(rawValue: dbus_message_get_type(pointer)) ?? .invalid }
  package var sender: String { unsafe text(dbus_message_get_sender(pointer)) }
  package var path: String { unsafe text(dbus_message_get_path(pointer)) }
  package var interface: String { unsafe text(dbus_message_get_interface(pointer)) }
  package var member: String { unsafe text(dbus_message_get_member(pointer)) }
  package var signature: String { unsafe text(dbus_message_get_signature(pointer)) }
  package var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(pointer) }
  package var wantsReply: Bool { unsafe dbus_message_get_no_reply(pointer) == 0 }

  package var arguments: [DBusValue] { unsafe MessageReader.arguments(of: pointer) }

  /// The arguments with their file descriptors, which the caller has to close.
  package var argumentsWithDescriptors: [DBusValue] {
    unsafe MessageReader.arguments(of: pointer, readingDescriptors: true)
  }

  /// The name and the message of an error reply.
  package var error: BusError {
    let name = unsafe text(dbus_message_get_error_name(pointer))
    return BusError(
      name: name.isEmpty ? BusError.inconsistentMessage : name, message: arguments.first?.text ?? "")
  }

  /// The message as a signal or a call.
  package var incoming: IncomingMessage {
    IncomingMessage(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
  }

  private func text(_ field: UnsafePointer<CChar>?) -> String {
    unsafe field.map { unsafe String(cString: $0) } ?? ""
  }
}

/// Messages to be sent. Creating one fails if a name or a value is not valid in D-Bus, or if memory is exhausted.
extension DBusMessage {
  package static func call(_ call: MethodCall) -> DBusMessage? {
    unsafe MessageWriter.message(for: call).map { unsafe DBusMessage(owning: $0) }
  }

  /// - Parameter destination: By default, the signal is a broadcast.
  package static func signal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue],
    to destination: String? = nil
  ) -> DBusMessage? {
    unsafe MessageWriter.signal(path, interface, member, arguments, to: destination)
      .map { unsafe DBusMessage(owning: $0) }
  }

  package func reply(_ arguments: [DBusValue]) -> DBusMessage? {
    unsafe MessageWriter.reply(to: pointer, with: arguments).map { unsafe DBusMessage(owning: $0) }
  }

  package func reply(_ error: BusError) -> DBusMessage? {
    unsafe MessageWriter.error(error, to: pointer).map { unsafe DBusMessage(owning: $0) }
  }
}

/// The wire format, for tests.
extension DBusMessage {
  /// A message from its bytes. Fails if libdbus rejects them.
  package convenience init?(bytes: [UInt8]) {
    let pointer = unsafe bytes.withUnsafeBytes {
      unsafe dbus_message_demarshal(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count), nil)
    }
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(owning: pointer)
  }

  package var bytes: [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    var count: CInt = 0
    unsafe dbus_message_marshal(pointer, &start, &count)
    defer { unsafe dbus_free(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
