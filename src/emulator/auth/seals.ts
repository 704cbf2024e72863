import type { Service } from '../model/service.ts'

/** Proves that a form is one of ours. `purpose`: which form, about what. */
export function formToken({ memory, ports }: Service, purpose: string): string {
  memory.secret ??= ports.chance.token(32)
  return ports.digest.sha256(`${memory.secret}\n${purpose}`)
}

/** Proves that a cursor was issued here, in this run. */
export function cursorSeal(service: Service): (text: string) => string {
  return (text) => formToken(service, `cursor ${text}`).slice(0, 20)
}
