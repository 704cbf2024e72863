import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { checkExamples } from 'grantwise'
import { rules } from './index.js'

for (const rule of rules) {
  test(rule.code, async () => {
    const file = new URL(`examples/${rule.code.split('/')[1]}.yaml`, import.meta.url)
    assert.deepEqual(await checkExamples(rule, readFileSync(file, 'utf8')), [])
  })
}
