import { z } from 'zod'

const item = z.object({ sku: z.string(), quantity: z.number(), price: z.number() })
/** A list of what was bought. */
export const items = z.array(item)
/** A list of lists of it. */
export const orders = z.array(z.object({ status: z.string(), total: z.number(), lines: items }))
const changes = z.record(z.string(), z.object({ from: z.string(), to: z.string() }))

/** What functions ask of a field, and what the field is. */
export const questions: readonly (readonly [schema: z.ZodType, ask: (field: string) => string])[] = [
  [z.string(), (field) => `${field} === 'paid'`],
  [z.string(), (field) => `['low', 'high'].includes(${field})`],
  [z.string(), (field) => `${field}.startsWith('ord-')`],
  [z.string(), (field) => `${field}.toLowerCase() === 'late'`],
  [z.string(), (field) => `${field}.length > 20`],
  [z.string(), (field) => `${field}.split('-').length > 2`],
  [z.number(), (field) => `${field} > 99`],
  [z.number(), (field) => `${field} >= 50 && ${field} < 60`],
  [z.number(), (field) => `${field} % 3 === 0`],
  [z.boolean(), (field) => field],
  [z.array(z.string()), (field) => `${field}.includes('urgent')`],
  [z.array(z.string()), (field) => `${field}.length >= 4`],
  [items, (field) => `${field}[2]?.sku === 'gift'`],
  [z.array(z.string()), (field) => `${field}[3] === '--force'`],
  [items, (field) => `${field}.some(({ quantity }) => quantity > 10)`],
  [items, (field) => `${field}.filter(({ price }) => price > 20).length > 1`],
  [items, (field) => `${field}.every(({ sku }) => sku.startsWith('S'))`],
  [z.object({ type: z.string() }).optional(), (field) => `${field}?.type === 'card'`],
  [z.iso.datetime(), (field) => `new Date(${field}).getUTCDay() === 5`],
  [z.string().optional(), (field) => `${field} === undefined`],
  [z.enum(['a', 'b', 'c', 'd']), (field) => `${field} === 'c'`],
  [orders, (field) => `${field}.some((one) => one.lines.some(({ sku }) => sku === 'gift'))`],
  [orders, (field) => `${field}.flatMap((one) => one.lines).some(({ price }) => price > 500)`],
  [orders, (field) => `${field}.find((one) => one.status === 'late')?.total > 50`],
  [z.array(z.array(z.number())), (field) => `${field}[0]?.[1] === 7`],
  [changes, (field) => `Object.values(${field}).some((change) => change.to === 'pro')`],
  [changes, (field) => `${field}.status?.to === 'closed'`],
  [z.record(z.string(), z.boolean()), (field) => `${field}['new-design']`],
]
