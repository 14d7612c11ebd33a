import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { describeInput, jsonObject, namedFields } from './input.ts'

const maxContexts = 100
const maxNameLength = 100
const rule = 'lowercase letters and digits, joined by "-", "_" or "."'

/** Contexts by type: an id, or an id with data. */
export type ContextFields = Readonly<
  Record<string, string | { readonly id: string; readonly data?: JsonObject | undefined }>
>

/** The type or the id of a context. Neither can contain a colon, because the key is `type:id`. */
export const contextName: z.ZodType<string> = z
  .string()
  .max(maxNameLength, `must have at most ${maxNameLength} characters`)
  .regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, `must consist of ${rule}`)

const context = z.union(
  [contextName, z.strictObject({ id: contextName, data: jsonObject().optional() })],
  `must be an id, or { id, data? }, the id at most ${maxNameLength} characters of ${rule}`,
)

/** The contexts in a body: by type, an id or `{ id, data? }`. */
export const contextFields: z.ZodType<ContextFields> = namedFields(`must have types of ${rule}`)
  .refine((given) => Object.keys(given).length <= maxContexts, `must have at most ${maxContexts} contexts`)
  .pipe(z.record(contextName, context))
  .meta({
    id: 'ContextMap',
    description: "Contexts by type, such as `{ tenant: 'acme' }`.",
    // The input schema is part of the API description.
    additionalProperties: describeInput(context),
  })

/** Returns the sorted context keys of a body, each as `type:id`. */
export function readContextKeys(context: ContextFields | undefined): readonly string[] | undefined {
  if (context === undefined) return undefined
  return Object.entries(context)
    .map(([type, value]) => `${type}:${typeof value === 'string' ? value : value.id}`)
    .sort()
}
