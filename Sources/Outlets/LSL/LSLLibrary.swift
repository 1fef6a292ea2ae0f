import Glibc
import Localization

/// The functions of liblsl, which is loaded at run time: Debian has no package of it, and other outlets do not need it.
@safe struct LSLLibrary {
  typealias CreateInfo =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, CInt, Double, CInt, UnsafePointer<CChar>
    ) -> OpaquePointer?
  typealias AppendValue =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>) -> OpaquePointer?
  typealias Append = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> OpaquePointer?
  typealias PushText =
    @convention(c) (OpaquePointer?, UnsafePointer<UnsafePointer<CChar>?>, Double) -> CInt

  typealias Resolve =
    @convention(c) (
      UnsafeMutablePointer<OpaquePointer?>, UInt32, UnsafePointer<CChar>, UnsafePointer<CChar>, CInt, Double
    ) -> CInt
  typealias PullText =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CInt, Double,
      UnsafeMutablePointer<CInt>
    ) -> Double

  let createInfo: CreateInfo
  let description: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let append: Append
  let appendValue: AppendValue
  let destroyInfo: @convention(c) (OpaquePointer?) -> Void
  let createOutlet: @convention(c) (OpaquePointer?, CInt, CInt) -> OpaquePointer?
  let destroyOutlet: @convention(c) (OpaquePointer?) -> Void
  let pushNumbers: @convention(c) (OpaquePointer?, UnsafePointer<Double>, Double) -> CInt
  let pushText: PushText
  let hasConsumers: @convention(c) (OpaquePointer?) -> CInt
  let localClock: @convention(c) () -> Double
  let resolve: Resolve
  let channelCount: @convention(c) (OpaquePointer?) -> CInt
  let createInlet: @convention(c) (OpaquePointer?, CInt, CInt, CInt) -> OpaquePointer?
  let destroyInlet: @convention(c) (OpaquePointer?) -> Void
  let pullText: PullText
  let timeCorrection: @convention(c) (OpaquePointer?, Double, UnsafeMutablePointer<CInt>) -> Double
  let destroyString: @convention(c) (UnsafeMutablePointer<CChar>?) -> Void

  private static let names = ["liblsl.so.2", "liblsl.so"]

  /// Loads the library, which remains loaded.
  init() throws(OutletError) {
    guard let handle = unsafe Self.names.lazy.compactMap({ unsafe dlopen($0, RTLD_NOW) }).first else {
      throw OutletError(
        Phrase(
          """
          cannot load \(Self.names[0]): the Lab Streaming Layer is not installed. Install the package liblsl of \
          https://github.com/sccn/liblsl/releases, or set LD_LIBRARY_PATH to its directory
          """))
    }
    unsafe createInfo = try Self.function("lsl_create_streaminfo", handle)
    unsafe description = try Self.function("lsl_get_desc", handle)
    unsafe append = try Self.function("lsl_append_child", handle)
    unsafe appendValue = try Self.function("lsl_append_child_value", handle)
    unsafe destroyInfo = try Self.function("lsl_destroy_streaminfo", handle)
    unsafe createOutlet = try Self.function("lsl_create_outlet", handle)
    unsafe destroyOutlet = try Self.function("lsl_destroy_outlet", handle)
    unsafe pushNumbers = try Self.function("lsl_push_sample_dt", handle)
    unsafe pushText = try Self.function("lsl_push_sample_strt", handle)
    unsafe hasConsumers = try Self.function("lsl_have_consumers", handle)
    unsafe localClock = try Self.function("lsl_local_clock", handle)
    unsafe resolve = try Self.function("lsl_resolve_byprop", handle)
    unsafe channelCount = try Self.function("lsl_get_channel_count", handle)
    unsafe createInlet = try Self.function("lsl_create_inlet", handle)
    unsafe destroyInlet = try Self.function("lsl_destroy_inlet", handle)
    unsafe pullText = try Self.function("lsl_pull_sample_str", handle)
    unsafe timeCorrection = try Self.function("lsl_time_correction", handle)
    unsafe destroyString = try Self.function("lsl_destroy_string", handle)
  }

  /// - Parameter Function: the type of the function in lsl_c.h.
  private static func function<Function>(
    _ name: String, _ handle: UnsafeMutableRawPointer
  ) throws(OutletError) -> Function {
    guard let symbol = unsafe dlsym(handle, name) else {
      throw OutletError(Phrase("liblsl has no function \(name); install version 1.16 or later"))
    }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}
