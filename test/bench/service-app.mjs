import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'

// An app in its own process, with one workflow that sends one in-app message and one that sends two. Its calls share no
// processor time with the measured process.

const message = async () => ({ subject: 'News', body: 'Something has happened.' })
const news = workflow('news', async ({ step }) => {
  await step.inApp('tell', message)
})
const reset = workflow('reset', async ({ step }) => {
  await step.inApp('first', message)
  await step.inApp('second', message)
})
const handler = toNodeHandler(createBridge({ workflows: [news, reset], secretKey: process.env.SERVICE_SECRET_KEY }))
const server = createServer(async (request, response) => {
  const rawBody = await buffer(request)
  await handler(Object.assign(request, { rawBody }), response)
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: `http://127.0.0.1:${server.address().port}/bridge` }))
process.on('disconnect', () => process.exit(0))
