import { createServer } from 'node:http'
import { createBridge, toNodeHandler } from '@trestle/core'
import { agent } from '@trestle/core/agents'

// A bridge in its own process that reports every call and every event of its agent to its parent. Responses to events
// are delayed, so that a service can die while it waits for one.

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
      setTimeout(() => end(...rest), answerMs + Math.random() * answerMs)
      return response
    }
  }
  return handle(request, response)
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: `http://127.0.0.1:${server.address().port}/api/bridge` }))
process.on('disconnect', () => process.exit(0))
