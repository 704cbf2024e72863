/** Written in when the program is bundled. */
declare const __VERSION__: string | undefined

/** The version of the program: three numbers with dots between them. */
export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'
