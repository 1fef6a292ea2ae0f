// FakeBlueZTests
