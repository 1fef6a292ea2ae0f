import Localization
import TestSupport
import Testing

@testable import Fleet

@Test("The line of collect --json has the keys of its schema") func collectorLineHasTheKeysOfItsSchema()
  throws
{
  var status = CollectorStatus()
  status.partitions = [1, 2]
  status.error = Phrase("x")
  let line = String(decoding: status.json(at: "2026-11-20T10:00:00Z", study: "sleep"), as: UTF8.self)
  #expect(try Schema("collector").differences(from: JSONValue(line)) == [])
}
