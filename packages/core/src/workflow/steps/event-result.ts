import { type Issue, isObject, type JsonObject } from '@trestle/protocol'
import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { closed } from '../../schema/object-schema.ts'

/**
 * Returns the result schema of a wait for an event, including the event's payload.
 *
 * @param payload - The schema of the event's payload.
 * @param result - The result schema without the payload.
 */
export function toEventResult(payload: CompiledSchema, result: CompiledSchema): CompiledSchema {
  const check = (value: unknown): Verdict | Promise<Verdict> => {
    if (!isObject(value) || value['received'] !== true) return result.check(value)
    const checked = payload.check(value['payload'])
    return checked instanceof Promise ? checked.then(toVerdict) : toVerdict(checked)
  }
  return {
    given: true,
    transforms: payload.transforms,
    prepare: () => payload.prepare(),
    jsonSchema: () => toJsonSchema(payload.jsonSchema()),
    check,
    fill: (value) => value,
  }
}

function toVerdict(verdict: Verdict): Verdict {
  if (!verdict.issues) return { value: { received: true, payload: verdict.value } }
  const [first, ...rest] = verdict.issues.map(({ path, message }): Issue => ({ path: `/payload${path}`, message }))
  return { issues: [first as Issue, ...rest] }
}

/** Moves the payload's schema into the result's JSON Schema; its references start at the root. */
function toJsonSchema(payload: JsonObject): JsonObject {
  const { $schema: _, $defs, definitions, ...rest } = payload
  const received = closed({ received: { const: true }, payload: rest }, ['received', 'payload'])
  const none = closed({ received: { const: false }, payload: { type: 'null' } }, ['received', 'payload'])
  return {
    type: 'object',
    oneOf: [received, none],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
}
