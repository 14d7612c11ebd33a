import { workflow } from '@trestle/core'
import { z } from 'zod'

export const commentDigest = workflow(
  'comment-digest',
  async ({ step, payload }) => {
    const digest = await step.digest('daily', async () => ({ cron: '30 9 * * 1-5' }))
    await step.email(
      'mail',
      async (controls) => ({ subject: controls.subject, body: `${payload.author}: ${digest.events.length}` }),
      { controlSchema: z.object({ subject: z.string().default('News') }), skip: () => digest.events.length === 0 },
    )
  },
  { payloadSchema: z.object({ author: z.string() }), tags: ['comments'] },
)
