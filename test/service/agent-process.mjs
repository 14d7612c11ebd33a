import { createServer } from 'node:http'
import { createBridge, toNodeHandler } from '@trestle/core'
import { agent } from '@trestle/core/agents'

// A bridge in a process of its own, which tells its parent of every call that arrives and every event that its agent
// sees. The answers of events are late, so that a service can die while it waits for one.

const { secretKey, apiUrl, answerMs } = JSON.parse(process.env.AGENT_OPTIONS ?? '{}')

const counting = agent('counting', {
  onMessage: async ({ message, deliveryId, conversation, reply }) => {
    process.send?.({ seen: message.text, deliveryId, conversationId: conversation.id })
    await reply(`saw ${message.text}`).catch(() => undefined)
  },
  onError: () => undefined,
})

const bridge = createBridge({ agents: [counting], workflows: [], secretKey, apiUrl, strictAuthentication: true })
const handle = toNodeHandler(bridge)
const server = createServer((request, response) => {
  if (request.url?.includes('action=agent-event')) {
    const end = response.end.bind(response)
    response.end = (...rest) => {
      process.send?.({ called: true })
      setTimeout(() => end(...rest), Math.random() * answerMs)
      return response
    }
  }
  return handle(request, response)
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: `http://127.0.0.1:${server.address().port}/api/bridge` }))
process.on('disconnect', () => process.exit(0))
