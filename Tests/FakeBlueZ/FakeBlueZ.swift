// FakeBlueZ
