export const kinds = ['can', 'who', 'what'] as const
export type Kind = (typeof kinds)[number]

/** A question, as it is typed. */
export interface Asked {
  readonly kind: Kind
  readonly identity: string
  readonly action: string
  readonly resource: string
  readonly ip: string
  readonly at: string
  readonly tag: string
  readonly group: string
}
