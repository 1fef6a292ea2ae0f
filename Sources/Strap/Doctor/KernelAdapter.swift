import CBluetooth
import Glibc
import Localization
import Platform

/// A Bluetooth controller of the kernel, independent of bluetoothd.
struct KernelAdapter: Equatable, Sendable {
  var name: String
  var address: String
  var isUp: Bool

  /// The `errno` of the system call that failed.
  struct Failure: Error, Equatable { var number: CInt }

  /// Reads the controllers with a raw HCI socket, which every user may open.
  static func all() -> Result<[KernelAdapter], Failure> {
    let socket = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
    guard socket >= 0 else { return .failure(Failure(number: errno)) }
    defer { close(socket) }
    return numbers(socket).map { $0.compactMap { info(of: $0, socket) } }
  }

  /// `struct hci_dev_list_req`: a count, followed by that number of `struct hci_dev_req`.
  private static func numbers(_ socket: CInt) -> Result<[UInt16], Failure> {
    let most = Int(HCI_MAX_DEV)
    let stride = MemoryLayout<hci_dev_req>.stride
    let first = MemoryLayout<hci_dev_list_req>.size
    let size = first + most * stride
    let list = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<hci_dev_req>.alignment)
    defer { unsafe list.deallocate() }
    unsafe list.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe list.storeBytes(of: UInt16(most), as: UInt16.self)
    guard unsafe ioctl(socket, UInt(bitPattern: stressmon_HCIGETDEVLIST), list) == 0 else {
      return .failure(Failure(number: errno))
    }
    let count = unsafe min(Int(list.load(as: UInt16.self)), most)
    return .success(
      (0..<count).map { unsafe list.load(fromByteOffset: first + $0 * stride, as: UInt16.self) })
  }

  private static func info(of number: UInt16, _ socket: CInt) -> KernelAdapter? {
    var info = hci_dev_info()
    info.dev_id = number
    guard unsafe ioctl(socket, UInt(bitPattern: stressmon_HCIGETDEVINFO), &info) == 0 else { return nil }
    let address = unsafe withUnsafeBytes(of: info.bdaddr) { bytes in
      unsafe bytes.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    }
    return KernelAdapter(
      name: "hci\(number)", address: address.joined(separator: ":"),
      isUp: info.flags & 1 << UInt32(HCI_UP) != 0)
  }

  private static let separator = ", "

  /// The adapter and whether it is up.
  private var state: Phrase {
    let text = "\(name) \(address)"
    return isUp ? Phrase("\(text) up") : Phrase("\(text) down")
  }

  static func finding(_ adapters: Result<[KernelAdapter], Failure>) -> Finding {
    switch adapters {
    case .failure(Failure(number: EAFNOSUPPORT)):
      Finding(
        "kernel", .failed, Phrase("this kernel has no Bluetooth support"), remedy: "sudo modprobe bluetooth")
    case .failure(let failure):
      Finding(
        "kernel", .unknown,
        unsafe Phrase("cannot read the adapters of the kernel: \(String(cString: strerror(failure.number)))"))
    case .success([]):
      Finding("kernel", .failed, Phrase("the kernel has no Bluetooth adapter"), remedy: "lsusb")
    case .success(let adapters):
      Finding("kernel", .ok, Phrase(joining: adapters.map(\.state), separator: separator))
    }
  }
}

/// The power management of a USB adapter, from `/sys/class/bluetooth`.
struct USBPower: Equatable, Sendable {
  /// `hci0`.
  var name: String
  var product: String?
  /// Whether the kernel suspends it when idle (`power/control` is `auto`).
  var suspendsItself: Bool

  /// The USB adapters; adapters on a serial line have no such power control.
  static func adapters(in tree: SystemTree = SystemTree()) -> [USBPower] {
    let folder = "/sys/class/bluetooth"
    return tree.entries(folder).compactMap { name in
      // `hci0:64` is a connection of hci0.
      guard name.hasPrefix("hci"), !name.contains(":"),
        tree.target("\(folder)/\(name)/device/subsystem") == "usb",
        let control = tree.line("\(folder)/\(name)/device/../power/control")
      else { return nil }
      return USBPower(
        name: name, product: tree.line("\(folder)/\(name)/device/../product"),
        suspendsItself: control == "auto")
    }
  }

  static func finding(_ adapters: [USBPower]) -> Finding? {
    guard !adapters.isEmpty else { return nil }
    func named(_ adapter: USBPower) -> String { adapter.name + (adapter.product.map { " (\($0))" } ?? "") }
    guard let suspended = adapters.first(where: \.suspendsItself) else {
      return Finding(
        "usb power", .ok,
        Phrase("\(adapters.map(named).joined(separator: ", ")) is not suspended when idle"))
    }
    return Finding(
      "usb power", .warning,
      Phrase("\(named(suspended)) may be suspended between two beats and lose the link (autosuspend)"),
      remedy: "echo on | sudo tee /sys/class/bluetooth/\(suspended.name)/device/../power/control")
  }
}
