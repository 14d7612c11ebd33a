import type { JsonObject } from '@trestle/protocol'

/** A draft of JSON Schema; older ones than draft 7 are read like draft 7. */
export type Draft = '7' | '2019-09' | '2020-12'

/** Returns the draft of a schema; by default 2020-12. */
export function draftOf(schema: JsonObject): Draft {
  const name = String(schema['$schema'] ?? '')
  if (/draft-0[4-7]/.test(name)) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}
