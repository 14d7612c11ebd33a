import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'

/**
 * Returns the schema of a value for each channel, or for some.
 *
 * @param value - What the values must be.
 */
export function byChannel<TValue>(value: z.ZodType<TValue>): z.ZodType<Partial<Record<string, TValue>>> {
  const optional = value.optional()
  return z.strictObject(Object.fromEntries(messageTypes.map((channel) => [channel, optional])))
}
