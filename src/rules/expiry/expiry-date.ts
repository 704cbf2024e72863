import type { Rule } from '../rule.ts'

export const expiryDate: Rule = {
  code: 'expiry-date',
  section: 'expiry',
  severity: 'error',
  fixes: ['safe', 'suggested'],
  summary: 'An expiry that is not a date and time with an offset.',
  why:
    'The service expects RFC 3339: a date, time and offset from UTC, such as `2027-01-31T23:59:59Z` or `2027-02-01T00:59:59+01:00`. ' +
    'Without the offset, the instant would be a guess, and a day that does not exist never comes.',
  reader: true,
}
