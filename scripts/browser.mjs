import { existsSync } from 'node:fs'

/**
 * The browser in which tests run pages: the one that GRANTWISE_CHROMIUM names, else one of Debian's. The shell without windows shows the same
 * pages, and needs a third of the CPU time for each: it draws no tabs and loads nothing for them.
 */
export const browserPath =
  process.env.GRANTWISE_CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '/usr/bin/chromium'
