import { createApp } from './apps.mjs'
import { answerFirst } from './first-answer.mjs'

// A whole process: import, an app with ten workflows, the first signed discover, end.

const [, , subject, peerFolder, which = 'ten'] = process.argv
await answerFirst(await createApp({ subject, framework: 'hono', which, peerFolder }), subject)
