import { isObject } from '@trestle/protocol'
import type { Narrowing } from './narrowing.ts'
import { type Comparison, into, isSame, narrowing, type SchemaObject, toSchema } from './schema-pair.ts'

/** Returns the paths at which the later schema rejects fields that the earlier one accepted. */
export function compareObjects(before: SchemaObject, after: SchemaObject, at: Comparison): readonly Narrowing[] {
  const [was, is] = [readFields(before), readFields(after)]
  const narrowings: Narrowing[] = []
  for (const name of is.required.filter((one) => !was.required.includes(one)))
    narrowings.push(...narrowing(into(at, name), `${name} is now required`))
  if ((was.patterns || is.patterns) && !isSame(before['patternProperties'], after['patternProperties'], at))
    return [...narrowings, ...narrowing(at, 'the patterns of field names have changed')]
  for (const [name, schema] of Object.entries(is.properties)) {
    const deeper = into(at, name)
    const isNew = !Object.hasOwn(was.properties, name)
    if (was.patterns && isNew) {
      narrowings.push(...narrowing(deeper, `${name} now has its own schema`))
      continue
    }
    const inner = at.compare(toSchema(isNew ? was.others : was.properties[name]), toSchema(schema), deeper)
    // An open object accepted unknown fields, but no caller was required to send them.
    const wasAsked = was.required.includes(name)
    if (isNew && inner.length > 0 && was.others === true && !wasAsked)
      narrowings.push(
        ...narrowing(deeper, `${name} was added; callers that already send it must send the new type`, 'notice'),
      )
    else narrowings.push(...inner)
  }
  if (is.others === true) return narrowings
  const removedNames = Object.keys(was.properties).filter((name) => !Object.hasOwn(is.properties, name))
  for (const name of removedNames) {
    const inner = is.others === false ? narrowing(into(at, name), `${name} is now rejected`) : []
    narrowings.push(
      ...inner,
      ...(is.others === false ? [] : at.compare(toSchema(was.properties[name]), is.others, into(at, name))),
    )
  }
  if (was.others !== false) {
    const inner = at.compare(was.others, is.others, into(at, '*'))
    if (inner.length > 0) narrowings.push(...narrowing(at, 'unlisted fields are now rejected, or need another type'))
  }
  return narrowings
}

interface Fields {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly others: ReturnType<typeof toSchema>
  readonly patterns: boolean
}

function readFields(schema: SchemaObject): Fields {
  const { properties, required, additionalProperties, patternProperties } = schema
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
    others:
      isObject(additionalProperties) && Object.keys(additionalProperties).length === 0
        ? true
        : toSchema(additionalProperties),
    patterns: isObject(patternProperties) && Object.keys(patternProperties).length > 0,
  }
}
