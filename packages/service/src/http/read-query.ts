import { z } from 'zod'

/** The parameters of a query, by name. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>

/**
 * Parses a query. Programs write lists as `channels=a&channels=b`, `channels[]=a` or `channels[0]=a`.
 *
 * @param text - The query, without its question mark.
 * @param schema - The schema of the query; unknown names are kept as sent.
 */
export function readQuery(text: string, schema: z.ZodType): QueryValues {
  const knownNames = new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])
  const query: Record<string, string | readonly string[]> = Object.create(null)
  for (const [written, value] of new URLSearchParams(text)) {
    const bare = written.replace(/\[\d{0,6}\]$/, '')
    const isList = bare !== written && knownNames.has(bare) && !knownNames.has(written)
    const name = isList ? bare : written
    const before = query[name]
    if (before === undefined) query[name] = isList ? [value] : value
    else query[name] = [...[before].flat(), value]
  }
  return { ...query }
}
