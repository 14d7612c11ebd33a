import type { JsonObject } from '@trestle/protocol'

/** Returns the draft of a schema; by default 2020-12. */
export function draftOf(schema: JsonObject): '7' | '2019-09' | '2020-12' {
  const name = String(schema['$schema'] ?? '')
  if (/draft-0[4-7]/.test(name)) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}
