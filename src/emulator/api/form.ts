import type { Form } from './route.ts'

/** Read `application/x-www-form-urlencoded`. Malformed percent-encoding stands for itself, as browsers have it. */
export function readForm(text: string): Form {
  const form = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = form.get(name)
    if (values) values.push(value)
    else form.set(name, [value])
  }
  return form
}
