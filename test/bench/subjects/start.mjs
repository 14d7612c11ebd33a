import { createApp } from './apps.mjs'
import { answerFirst } from './first-answer.mjs'

// A whole process: import, an app with ten workflows, the first signed discover, end.

const [, , subject, peerFolder] = process.argv
await answerFirst(await createApp({ subject, framework: 'hono', which: 'ten', peerFolder }), subject)
