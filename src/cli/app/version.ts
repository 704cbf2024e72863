export { version } from '../../version.ts'

/** Written in when the program is bundled: the commit that was built, where that is known. */
declare const __COMMIT__: string | undefined

/** The same: a hash of the sources that were bundled. */
declare const __SOURCES__: string | undefined

export const sources: string | undefined = typeof __SOURCES__ === 'string' ? __SOURCES__ : undefined
export const commit: string | undefined = typeof __COMMIT__ === 'string' ? __COMMIT__ : undefined
