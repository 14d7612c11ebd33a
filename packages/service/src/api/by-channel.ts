import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'

/**
 * Returns the schema of an object with one optional value per channel.
 *
 * @param value - The schema of the values.
 */
export function byChannel<TValue>(value: z.ZodType<TValue>): z.ZodType<Partial<Record<string, TValue>>> {
  const optional = value.optional()
  return z.strictObject(Object.fromEntries(messageTypes.map((channel) => [channel, optional])))
}
