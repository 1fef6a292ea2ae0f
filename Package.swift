// swift-tools-version: 6.2
import PackageDescription

// Settings of every target: explicit module interfaces, and warnings as errors.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "stressmon",
  products: [
    // The libraries that docs/reference/library.md describes.
    .library(name: "HeartRate", targets: ["HeartRate"]),
    .library(name: "HRV", targets: ["HRV"]),
    .library(name: "Stress", targets: ["Stress"]),
    .executable(name: "stressmon", targets: ["stressmon"]),
    .executable(name: "stressmon-net", targets: ["stressmon-net"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    // Linked into stressmon-net only.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
  ],
  targets: [
    // C libraries of the system.
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

    // Restricts the values that a string can interpolate (checksInterpolation, below).
    .target(name: "Interpolation", swiftSettings: strict),

    // Pure: values in, values out.
    .target(name: "Time", swiftSettings: strict),
    .target(name: "HeartRate", dependencies: ["Time"], swiftSettings: strict),
    .target(
      name: "HRV",
      dependencies: [
        "HeartRate", .product(name: "RealModule", package: "swift-numerics"),
        .product(name: "ComplexModule", package: "swift-numerics"),
      ],
      swiftSettings: strict + [.strictMemorySafety()],
      linkerSettings: [.linkedLibrary("m")]),
    // No library provides squareRoot(): it is in libm.
    .target(
      name: "Motion", dependencies: ["HeartRate"], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "Stress",
      dependencies: ["HRV", "Motion", "HeartRate", .product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: strict),

    // Files, clocks, locks and threads; D-Bus connections and messages.
    .target(
      name: "Platform", dependencies: ["Time", "Localization", "CMalloc", system],
      resources: [.embedInCode("packages.txt")],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "DBus", dependencies: ["CDBus", "Platform"], swiftSettings: strict + [.strictMemorySafety()]),

    // Translations.
    .target(
      name: "Localization", exclude: ["po"], swiftSettings: strict + [.strictMemorySafety()]),

    // Design tokens: colours, icons and patterns of screens and plots.
    .target(
      name: "Design",
      dependencies: ["Localization", "Stress", .product(name: "RealModule", package: "swift-numerics")],
      exclude: ["tokens.json"], swiftSettings: strict),
    .executableTarget(
      name: "design-tokens", path: "Packaging/DesignTokens", swiftSettings: strict),
    .target(
      name: "Breathing",
      dependencies: ["HRV", "HeartRate", .product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: strict),

    // JSON text, one object per line; base64.
    .target(name: "JSONLines", dependencies: ["Time"], swiftSettings: strict + [.strictMemorySafety()]),
    // The content of session files: the values that Recording and Formats read and write.
    .target(name: "SessionData", dependencies: ["Stress", "HeartRate"], swiftSettings: strict),

    // One boundary each; they do not import one another.
    .target(
      name: "Strap",
      dependencies: [
        "HeartRate", "DBus", "Localization", "Platform", "CBluetooth",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Doctor/straps.tsv")],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(name: "Simulator", dependencies: ["Platform", "HeartRate"], swiftSettings: strict),
    .target(
      name: "Recording",
      dependencies: ["SessionData", "JSONLines", "Platform", "Stress", "HRV", "HeartRate"],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "Formats",
      dependencies: ["SessionData", "JSONLines", "Platform", "HRV", "HeartRate", "CExpat", "CZlib"],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "History",
      dependencies: [
        "Platform", "Localization", "HeartRate", "HRV", "Motion", "Stress",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "Terminal",
      dependencies: [
        "LiveSession", "Platform", "Design", "Localization", "HeartRate", "HRV", "Stress", "Breathing",
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // The session bus: notifications, the interface of sessions, the units of the user's systemd.
    .target(
      name: "Desktop", dependencies: ["DBus", "Platform"], swiftSettings: strict + [.strictMemorySafety()]),

    // Plots of beats and trends: values in, SVG or PNG out.
    .target(
      name: "Plot",
      dependencies: [
        "Design", "HeartRate", "HRV", "Platform", "Stress",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // The lines of a live session, its newest values, and the limits of live values.
    .target(
      name: "LiveSession",
      dependencies: ["Design", "JSONLines", "Localization", "Stress", "Motion", "HRV", "HeartRate"],
      swiftSettings: strict + [.strictMemorySafety()]),

    // Local sockets of live sessions: the writer of a session, and the reader of all sessions.
    .target(
      name: "LiveFeed", dependencies: ["HeartRate", "LiveSession", "JSONLines", "Platform"],
      swiftSettings: strict + [.strictMemorySafety()]),

    // A stored session as the content of a file.
    .target(
      name: "SessionArchive", dependencies: ["HeartRate", "History", "SessionData"],
      swiftSettings: strict + [.strictMemorySafety()]),

    // The age file format: bytes in, bytes out.
    .target(
      name: "Age",
      dependencies: [
        "JSONLines", system,
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // Derived figures as plain values with their JSON: no terminal, no arguments, no strap.
    .target(
      name: "Reports",
      dependencies: [
        "HeartRate", "HRV", "Motion", "Stress", "Breathing", "SessionData", "JSONLines", "Platform",
        "Recording", "Formats", "History", "LiveFeed", "LiveSession", "Design", "Localization", "Plot",
        "CCrypto",
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // Runs sessions: source, engine, sinks; locks, marks, guided exercises, readings.
    .target(
      name: "Session",
      dependencies: [
        "HeartRate", "HRV", "Motion", "Stress", "Breathing", "SessionData", "Platform", "Strap", "Simulator",
        "Recording", "History", "LiveFeed", "LiveSession", "Localization", "Reports",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // The program: parse, compose, exit code.
    .target(
      name: "Commands",
      dependencies: [
        "HeartRate", "HRV", "Motion", "Stress", "NetworkCommands", "Session", "SessionData", "JSONLines",
        "Platform", "DBus", "Strap",
        "Simulator", "Recording", "Formats", "History", "LiveFeed", "LiveSession", "Reports", "Terminal",
        "Plot", "Desktop", "SessionArchive",
        "Breathing",
        "Design",
        "Localization",
        "TOMLKit",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    .executableTarget(name: "stressmon", dependencies: ["Commands"], swiftSettings: strict),
    // The arguments of the commands of stressmon-net, which both programs parse.
    .target(
      name: "NetworkCommands",
      dependencies: [
        "Localization", "Platform", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The network half: never linked into stressmon.
    .target(
      name: "Dashboard",
      dependencies: [
        "HeartRate", "HRV", "Stress", "Breathing", "JSONLines", "Platform", "History", "LiveFeed",
        "LiveSession", "Reports",
        "SessionData", "Design", "Plot", "Localization", system,
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      resources: [
        .embedInCode("API/openapi.json"), .embedInCode("Assets/base.css"), .embedInCode("Assets/records.css"),
        .embedInCode("Assets/icon.svg"),
        .embedInCode("Assets/page.js"), .embedInCode("Assets/charts.js"), .embedInCode("Assets/refresh.js"),
        .embedInCode("Assets/live.js"), .embedInCode("Assets/breathe.js"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "Outlets",
      dependencies: [
        "HeartRate", "Stress", "JSONLines", "Platform", "LiveFeed", "LiveSession", "Localization",
        "CMosquitto",
        system,
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    // Encrypted folder sync: merge rules and vault.
    .target(
      name: "Sync",
      dependencies: [
        "Age", "HeartRate", "History", "JSONLines", "Localization", "Platform", "Recording", "SessionArchive",
        "SessionData", system,
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    // Many receivers: JetStream as the log, PostgreSQL as the query store.
    .target(
      name: "Fleet",
      dependencies: [
        "CNats", "CPQ", "HRV", "HeartRate", "History", "JSONLines", "Localization", "Platform", "Recording",
        "SessionArchive", "SessionData", "Stress", system,
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    .executableTarget(
      name: "stressmon-net",
      dependencies: [
        "NetworkCommands", "Age", "Dashboard", "Fleet", "Formats", "HeartRate", "History", "JSONLines",
        "LiveFeed",
        "LiveSession",
        "Localization",
        "Outlets", "Platform", "Reports", "Stress", "Sync", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),

    // CPU time and allocations per beat.
    .target(name: "AllocationCount", path: "Benchmarks/AllocationCount"),
    .executableTarget(
      name: "EngineBenchmark", dependencies: ["Stress", "HRV", "HeartRate", "AllocationCount"],
      path: "Benchmarks/Engine", swiftSettings: strict),
    // CPU time of the metrics of a day.
    .executableTarget(
      name: "MetricsBenchmark", dependencies: ["HRV", "HeartRate", "Stress"], path: "Benchmarks/Metrics",
      swiftSettings: strict),
    // Creates a history of a year.
    .executableTarget(
      name: "YearBenchmark", dependencies: ["History", "Stress", "HeartRate", "TestSupport"],
      path: "Benchmarks/Year", swiftSettings: strict),
    // CPU time and memory of the age format.
    .executableTarget(
      name: "AgeBenchmark", dependencies: ["Age", "TestSupport", system], path: "Benchmarks/Age",
      swiftSettings: strict),
    // CPU time and memory of a long session, from the bus to the disk.
    .executableTarget(
      name: "Soak",
      dependencies: [
        "Strap", "Recording", "SessionData", "History", "Stress", "HRV", "HeartRate", "Platform",
        "TestSupport", "fake-bluez",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Benchmarks/Soak", swiftSettings: strict),

    // Programs that print the figures of docs/.
    .executableTarget(
      name: "Validation", dependencies: ["HRV", "HeartRate", "TestSupport"], path: "Research/Validation",
      swiftSettings: strict),
    .executableTarget(
      name: "ECGFigures", dependencies: ["HRV", "HeartRate"], path: "Research/ECG", exclude: ["run"],
      swiftSettings: strict),
    .executableTarget(
      name: "ConfidenceFigures", dependencies: ["Stress", "HRV", "HeartRate", "TestSupport"],
      path: "Research/Confidence", exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "WindowFeatures", dependencies: ["Stress", "HRV", "HeartRate"],
      path: "Research/WindowFeatures", swiftSettings: strict),
    .executableTarget(
      name: "BreathingFigures",
      dependencies: ["BreathingTestSupport", "Breathing", "Simulator", "HRV", "TestSupport"],
      path: "Research/Breathing", swiftSettings: strict),

    .executableTarget(
      name: "MorningFigures", dependencies: ["BaselineTestSupport"], path: "Research/Morning",
      swiftSettings: strict),
    .executableTarget(
      name: "AlphaFigures", dependencies: ["HRV", "HeartRate", "TestSupport"], path: "Research/Alpha",
      swiftSettings: strict),
    .executableTarget(
      name: "ChangeFigures", dependencies: ["TestSupport"], path: "Research/Change", swiftSettings: strict),
    .executableTarget(
      name: "BaselineFigures",
      dependencies: [
        "BaselineTestSupport", "Stress", "TestSupport",
        .product(name: "RealModule", package: "swift-numerics"),
      ], path: "Research/Baseline", swiftSettings: strict),
    .target(
      name: "ConstructStudy",
      dependencies: [
        "HRV", "HeartRate", "Stress", "TestSupport", .product(name: "RealModule", package: "swift-numerics"),
      ],
      path: "Research/Construct/Study", swiftSettings: strict),
    .executableTarget(
      name: "ConstructFigures", dependencies: ["ConstructStudy", "TestSupport"],
      path: "Research/Construct/Figures", swiftSettings: strict),

    // Tests and their support modules.
    .target(
      name: "TestSupport",
      dependencies: ["HRV", "HeartRate", .product(name: "RealModule", package: "swift-numerics")],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "FakeBlueZ",
      dependencies: ["DBus", "CDBus", "Platform", "Simulator", "HeartRate", "TestSupport"],
      path: "Tests/FakeBlueZ", swiftSettings: strict),
    // The fake as a program, for benchmarks and manual tests.
    .executableTarget(
      name: "fake-bluez", dependencies: ["FakeBlueZ", "Simulator", "HeartRate", "TestSupport"],
      path: "Tests/FakeBlueZProgram", swiftSettings: strict),
    .testTarget(
      name: "FakeBlueZTests", dependencies: ["FakeBlueZ", "fake-bluez", "DBus", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "DBusTests", dependencies: ["DBus", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "HeartRateTests", dependencies: ["HeartRate", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "MotionTests", dependencies: ["Motion", "Simulator", "HeartRate", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "HRVTests",
      dependencies: [
        "HRV", "HeartRate", "TestSupport", .product(name: "RealModule", package: "swift-numerics"),
        .product(name: "ComplexModule", package: "swift-numerics"),
      ],
      swiftSettings: strict),
    // Simulated people and mornings, also for the figures of docs/design/baseline.md and morning.md.
    .target(
      name: "BaselineTestSupport",
      dependencies: [
        "Stress", "HeartRate", "TestSupport", .product(name: "RealModule", package: "swift-numerics"),
      ],
      path: "Tests/BaselineTestSupport", swiftSettings: strict),
    .testTarget(
      name: "StressTests",
      dependencies: [
        "BaselineTestSupport", "ConstructStudy", "Stress", "Motion", "Simulator", "HRV",
        "HeartRate", "TestSupport",
        .product(name: "RealModule", package: "swift-numerics"),
      ], swiftSettings: strict),
    // Simulated and real rests, also for the figures of docs/design/breathing.md.
    .target(
      name: "BreathingTestSupport",
      dependencies: [
        "Breathing", "Simulator", "HRV", "HeartRate", "TestSupport",
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      path: "Tests/BreathingTestSupport", swiftSettings: strict),
    .testTarget(
      name: "BreathingTests",
      dependencies: [
        "BreathingTestSupport", "Breathing", "Simulator", "HRV", "HeartRate", "TestSupport",
        .product(name: "RealModule", package: "swift-numerics"),
      ], swiftSettings: strict),
    .testTarget(
      name: "StrapTests",
      dependencies: [
        "Strap", "DBus", "Platform", "FakeBlueZ", "Simulator", "HeartRate", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulatorTests", dependencies: ["Simulator", "HRV", "Stress", "HeartRate", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "JSONLinesTests", dependencies: ["JSONLines", "Time", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "Recording", "SessionData", "JSONLines", "Platform", "HRV", "Stress", "HeartRate", "TestSupport",
        system,
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "FormatsTests",
      dependencies: [
        "Formats", "Recording", "SessionData", "JSONLines", "Platform", "HRV", "Stress", "HeartRate",
        "TestSupport",
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .executableTarget(
      name: "HistoryProbe", dependencies: ["History", "Stress", "HeartRate"], path: "Tests/HistoryProbe",
      swiftSettings: strict),
    .testTarget(
      name: "HistoryTests",
      dependencies: [
        "BaselineTestSupport", "History", "HistoryProbe", "Motion", "Simulator", "Stress", "HRV", "HeartRate",
        "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "LocalizationTests",
      dependencies: ["History", "Reports", "Localization", "Design", "Stress", "HRV", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "Terminal", "LiveSession", "Design", "Localization", "Breathing", "Stress", "HRV", "HeartRate",
        "TestSupport",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "DesignTests", dependencies: ["Design", "design-tokens", "Stress"], swiftSettings: strict),
    .testTarget(
      name: "PlotTests", dependencies: ["Plot", "Stress", "HRV", "HeartRate", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LiveSessionTests",
      dependencies: [
        "LiveSession", "JSONLines", "Simulator", "Stress", "Motion", "HRV", "HeartRate", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LiveFeedTests",
      dependencies: ["LiveFeed", "LiveSession", "Platform", "JSONLines", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DashboardTests",
      dependencies: [
        "Dashboard", "Outlets", "Terminal", "Reports", "HRV", "History", "LiveFeed", "LiveSession",
        "Platform", "JSONLines", "Stress", "HeartRate",
        "TestSupport",
        "stressmon",
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OutletsTests",
      dependencies: [
        "Outlets", "LiveFeed", "LiveSession", "Localization", "Platform", "JSONLines", "Stress", "HeartRate",
        "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AgeTests",
      dependencies: ["Age", "TestSupport", system, .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "SyncTests",
      dependencies: ["Sync", "Age", "History", "Platform", "Stress", "HeartRate", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Fleet", "History", "Localization", "Recording", "SessionData", "Platform", "Stress", "HRV",
        "HeartRate",
        "TestSupport", "stressmon", "stressmon-net",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "LiveSession", "Breathing", "History", "Recording", "Formats", "SessionData", "JSONLines",
        "Platform", "Localization", "Simulator", "Stress", "HRV", "HeartRate", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "Session", "LiveFeed", "LiveSession", "Breathing", "History", "Recording", "Platform", "Strap",
        "Simulator", "Stress", "HRV", "HeartRate", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Commands", "NetworkCommands", "Session", "Reports", "Breathing", "History", "Recording", "Formats",
        "SessionData",
        "Platform", "Strap",
        "Simulator",
        "Terminal", "Localization", "Plot", "Stress",
        "HRV", "HeartRate", "TestSupport",
      ], swiftSettings: strict),
    // The whole path from bluetoothd to the history under faults.
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Session", "LiveSession", "Strap", "DBus", "FakeBlueZ", "Simulator", "History", "Stress", "HRV",
        "HeartRate",
        "TestSupport", "Soak",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Decoders with corrupted input.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Age", "Strap", "DBus", "Recording", "Formats", "SessionData", "Platform", "Stress", "Motion", "HRV",
        "HeartRate", "JSONLines", "LiveFeed", "LiveSession", "Outlets", "Dashboard", "History", "Reports",
        "Sync",
        "TestSupport",
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["Corpus", "Driver", "CLibFuzzer"], swiftSettings: strict),
    // Runs the built program.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "FakeBlueZ", "DBus", "Simulator", "HeartRate", "TestSupport", "stressmon", "stressmon-net",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: ["Golden"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzz targets with libFuzzer, only for `make fuzz`: they require a compiler that includes it.
if Context.environment["STRESSMON_FUZZ"] != nil {
  package.targets.removeAll { $0.name == "FuzzTests" }
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/FuzzTests/CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CLibFuzzer", "Age", "Strap", "DBus", "Recording", "Formats", "SessionData", "Platform", "Stress",
        "Motion",
        "HRV", "HeartRate", "JSONLines", "LiveFeed", "LiveSession", "Outlets", "Dashboard", "History",
        "Reports", "Sync",
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/FuzzTests", exclude: ["Corpus", "CLibFuzzer", "FuzzTests.swift"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
}

// A package that contains unsafe flags cannot be a dependency, so the pure modules, which are usable as libraries, are excluded.
let pureModules: Set = ["Interpolation", "HeartRate", "HRV", "Motion", "Stress", "Breathing"]

/// Returns whether the compiler rejects interpolated values without a text form in `target`: those of Sources.
func checksInterpolation(_ target: Target) -> Bool {
  target.path == nil && [.regular, .executable].contains(target.type) && !pureModules.contains(target.name)
}

for target in package.targets where checksInterpolation(target) {
  target.dependencies.append("Interpolation")
  target.swiftSettings?.append(
    .unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Interpolation"]))
}

/// Modules that compute over many beats or samples. Their tests are several times faster if builds for tests optimize them too.
let computingModules: Set = [
  "HeartRate", "HRV", "Motion", "Stress", "Breathing", "Simulator", "JSONLines", "History", "Age", "Sync",
  "TestSupport", "BaselineTestSupport", "BreathingTestSupport", "ConstructStudy",
]

/// Modules that run once per command or request, and whose code is large. Release builds optimize them for size.
let coldModules: Set = [
  "Commands", "NetworkCommands", "Reports", "Plot", "Design", "Localization", "Desktop", "Dashboard",
  "Outlets", "Fleet", "stressmon", "stressmon-net",
]

// A dependency of another package cannot have unsafe flags.
if !Context.packageDirectory.contains("/checkouts/") {
  for target in package.targets where coldModules.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
  }
  for target in package.targets where computingModules.contains(target.name) {
    target.swiftSettings?.append(
      .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
    // Takes precedence over the -Onone of Tests/all, which follows the settings of a target.
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O"], .when(configuration: .release)))
  }
}
