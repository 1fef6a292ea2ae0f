// SimulatorTests
