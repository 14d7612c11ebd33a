import { isObject } from '@trestle/protocol'
import type { Change } from './change.ts'
import { isSameJson, type Schema } from './schemas/plain-schema.ts'

/**
 * Returns the controls that a step no longer has. Values that were saved for them are ignored, even if the schema accepts
 * other fields, so the message changes without an error.
 *
 * @param before - The earlier schema of the controls.
 * @param path - The path of the controls. @default 'controls'
 */
export function findLostControls(before: Schema, after: Schema, path = 'controls'): readonly Change[] {
  const [was, is] = [propertiesOf(before), propertiesOf(after)]
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name))
  return Object.entries(was).flatMap(([name, schema]) => {
    const now = is[name]
    if (Object.hasOwn(is, name)) return findLostControls(schema as Schema, now as Schema, `${path}/${name}`)
    const [renamed, ...others] = added.filter((one) => isSameJson(is[one], schema))
    const what = renamed !== undefined && others.length === 0 ? `was removed or renamed to ${renamed}` : 'was removed'
    const message = `the control ${name} ${what}: its saved values are ignored`
    return [{ kind: 'breaking', path: `${path}/${name}`, message } as const]
  })
}

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) ? properties : {}
}
