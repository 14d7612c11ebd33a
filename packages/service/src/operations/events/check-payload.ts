import { ApiError } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'

/** The part of a trigger that is checked. */
export interface TriggerPayload {
  /** The workflow. */
  readonly name: string
  /** The data. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Checks the payload of a trigger where the workflow asks for it: that the fields its schema requires are there and have
 * the type it names. The bridge checks the payload against the whole schema when it runs a step.
 *
 * @throws {ApiError} 400
 */
export async function checkPayload({ store, environment }: CallContext, trigger: TriggerPayload): Promise<void> {
  const workflow = await store.db
    .selectFrom('workflows')
    .select(['payloadSchema'])
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', trigger.name)
    .where('validatePayload', '=', 1)
    .executeTakeFirst()
  if (!workflow?.payloadSchema) return
  const errors = findErrors(JSON.parse(workflow.payloadSchema), trigger.payload ?? {})
  if (errors.length > 0)
    throw new ApiError(400, `The payload does not fit the schema of ${JSON.stringify(trigger.name)}.`, {
      extra: { type: 'PAYLOAD_VALIDATION_ERROR', errors },
    })
}

interface PayloadError {
  readonly field: string
  readonly message: string
  readonly schemaPath: string
  readonly value?: unknown
}

function findErrors(schema: unknown, payload: Readonly<Record<string, unknown>>): readonly PayloadError[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { required, properties } = schema as { readonly required?: unknown; readonly properties?: unknown }
  const missing = (Array.isArray(required) ? required : []).filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(payload, name),
  )
  const wrong = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const type: unknown = typeof property === 'object' && property !== null ? Reflect.get(property, 'type') : undefined
    if (typeof type !== 'string' || !Object.hasOwn(payload, name) || isOfType(payload[name], type)) return []
    return [{ field: name, message: `must be ${type}`, schemaPath: `#/properties/${name}/type`, value: payload[name] }]
  })
  return [...missing.map((field) => ({ field, message: 'is required', schemaPath: '#/required' })), ...wrong]
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}
