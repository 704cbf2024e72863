// Waits in the tests of the extension.
const assert = require('node:assert')

exports.until = async function until(what, holds) {
  for (let i = 0; i < 300; i++) {
    const value = await holds()
    if (value) return value
    await new Promise((done) => setTimeout(done, 100))
  }
  assert.fail(`not within 30 s: ${what}`)
}
