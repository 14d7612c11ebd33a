import { createApp } from './apps.mjs'
import { answerFirst } from './first-answer.mjs'

// Measures a whole process: import, an app with ten workflows, the first signed discover, exit.

const [, , subject, peerFolder, which = 'ten'] = process.argv
await answerFirst(await createApp({ subject, framework: 'hono', which, peerFolder }), subject)
