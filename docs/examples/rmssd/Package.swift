// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "rmssd",
  // In a package of your own: .package(url: "https://example.org/stressmon", from: "0.1.0")
  dependencies: [.package(name: "stressmon", path: "../../..")],
  targets: [
    .executableTarget(
      name: "rmssd",
      dependencies: [
        .product(name: "HRV", package: "stressmon"), .product(name: "HeartRate", package: "stressmon"),
      ],
      path: "Sources")
  ])
