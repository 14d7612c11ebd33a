import { z } from 'zod'
import { named } from './named.ts'

export const deletion: z.ZodType = named('Deletion', 'The answer to the deletion of a resource.', {
  acknowledged: z.boolean().describe('Whether it was deleted.'),
  status: z.literal('deleted').describe('`deleted`.'),
})

export const topicDeletion: z.ZodType = named('TopicDeletion', 'The answer to the deletion of a topic.', {
  acknowledged: z.boolean().describe('Whether it was deleted.'),
})
