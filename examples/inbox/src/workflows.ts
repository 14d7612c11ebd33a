import { escapeHtml, workflow } from '@trestle/core'
import { z } from 'zod'

// When someone mentions a user, the bell on the page updates immediately.
const mention = workflow(
  'mention',
  async ({ step, payload }) => {
    await step.inApp('tell', () => ({
      subject: `${payload.author} mentioned you`,
      body: escapeHtml(payload.text),
      redirect: { url: payload.url },
    }))
  },
  {
    name: 'Mention',
    tags: ['comments'],
    payloadSchema: z.object({
      author: z.string().default('Grace'),
      text: z.string().default('Can you look at this?'),
      url: z.string().default('/#comment-1'),
    }),
  },
)

export const workflows = [mention]
