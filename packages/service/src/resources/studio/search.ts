import { z } from 'zod'
import { named } from '../named.ts'
import { runStatus } from './runs.ts'

export const searchResults: z.ZodType = named('SearchResults', 'The results of a search, newest first.', {
  subscribers: z
    .array(
      z.object({
        subscriberId: z.string(),
        firstName: z.string().optional(),
        lastName: z.string().optional(),
        email: z.string().optional(),
        phone: z.string().optional(),
      }),
    )
    .describe('Subscribers, by part of their identifier, name, email address or phone number.'),
  topics: z
    .array(z.object({ key: z.string(), name: z.string().optional() }))
    .describe('Topics, by part of their key or name.'),
  runs: z
    .array(
      z.object({
        _id: z.string(),
        workflowId: z.string(),
        subscriberId: z.string(),
        transactionId: z.string(),
        status: runStatus,
      }),
    )
    .describe('Runs, by their row id or part of their transaction, at least 4 characters.'),
})
