import { describe, expect, it } from 'vitest'
import { isFirstWord } from '../../src/actions/paths.ts'

describe('the first word of a path', () => {
  it.each([
    ['/vps', 'vps', true],
    ['/vps/{serviceName}', 'vps', true],
    ['/vps', 'vp', false],
    ['/vps', 'vpsx', false],
    // A word of a call that had `%2F` in it.
    ['/vps/{serviceName}', 'vps/{serviceName}', false],
    ['/vps', '', false],
  ])('%s begins with %j: %s', (path, word, begins) => {
    expect(isFirstWord(path, word)).toBe(begins)
  })
})
