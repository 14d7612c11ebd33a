import { z } from 'zod'

/**
 * Removes `null` fields from a body if the field is optional and does not allow null, because some programs send null
 * for missing values. Only applies to fields in a schema, not to names chosen by the sender.
 *
 * @param schema - The schema of the body.
 * @param body - The body, which is modified.
 * @returns Whether any field was removed.
 */
export function leaveOutNull(schema: z.core.$ZodType, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return leaveOutNull(schema.def.innerType, body)
  if (schema instanceof z.ZodPipe) return leaveOutNull(schema.def.in, body)
  if (schema instanceof z.ZodIntersection) return some([schema.def.left, schema.def.right], body)
  if (schema instanceof z.ZodUnion) return some(schema.options, body)
  if (schema instanceof z.ZodArray)
    return Array.isArray(body) && body.filter((item) => leaveOutNull(schema.element, item)).length > 0
  if (!(schema instanceof z.ZodObject)) return false
  const fields: readonly [string, z.core.$ZodType][] = Object.entries(schema.shape)
  return fields.filter(([name, field]) => leaveOut(body, name, field)).length > 0
}

const some = (schemas: readonly z.core.$ZodType[], body: object): boolean =>
  schemas.filter((schema) => leaveOutNull(schema, body)).length > 0

function leaveOut(body: object, name: string, field: z.core.$ZodType): boolean {
  if (!Object.hasOwn(body, name)) return false
  const value: unknown = Reflect.get(body, name)
  if (value !== null) return leaveOutNull(field, value)
  const takes = (given: unknown): boolean => z.safeParse(field, given).success
  return !takes(null) && takes(undefined) && Reflect.deleteProperty(body, name)
}
