import { z } from 'zod'

/** A JSON object whose fields are not specified. */
export const jsonRecord: z.ZodType = z.record(z.string(), z.unknown())
