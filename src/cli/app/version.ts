/** Written in when the program is bundled. */
declare const __VERSION__: string | undefined

export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'
