import { isObject } from '@trestle/protocol'
import { z } from 'zod'

/**
 * Shortens the lists of a body that are too long to one item more than allowed. They stay invalid, and checking them no
 * longer takes time for items that cannot be accepted.
 *
 * @param schema - The schema of the body; only its own fields are considered.
 * @param body - The body, which is modified.
 */
export function shortenLists(schema: z.ZodType, body: unknown): void {
  if (!(schema instanceof z.ZodObject) || !isObject(body)) return
  for (const [name, field] of Object.entries(schema.shape)) {
    const list = Object.hasOwn(body, name) ? body[name] : undefined
    const maxLength = Array.isArray(list) ? findMaxLength(field) : undefined
    if (Array.isArray(list) && maxLength !== undefined && list.length > maxLength + 1) list.length = maxLength + 1
  }
}

function findMaxLength(schema: z.core.$ZodType): number | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return findMaxLength(schema.def.innerType)
  if (!(schema instanceof z.ZodArray)) return undefined
  const definitions = schema.def.checks?.map((check) => check._zod.def as { check: string; maximum?: number })
  return definitions?.find(({ check }) => check === 'max_length')?.maximum
}
