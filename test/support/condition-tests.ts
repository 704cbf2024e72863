import { readConditionKey, readTest, type Test } from '../../src/conditions/test.ts'
import { Zones } from '../../src/zones.ts'

const zones = new Zones()

/** The test that a condition makes of a key and a value. */
export function testOf(key: string, value: string): Test {
  const read = readConditionKey(key, zones).value
  const found = read && readTest(read, value).value
  if (!found) throw new Error(`no test: ${key}: ${value}`)
  return found
}
