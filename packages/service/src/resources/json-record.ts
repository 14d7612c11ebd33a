import { z } from 'zod'

/** A JSON object with unspecified fields. */
export const jsonRecord: z.ZodType = z.record(z.string(), z.unknown())
