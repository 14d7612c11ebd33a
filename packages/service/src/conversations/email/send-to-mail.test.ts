import { createOutbound } from '@trestle/bridge-client'
import { expect, test } from 'vitest'
import { createTestChannels, environmentId, vault } from '../../channels/channels.fixture.ts'
import { serveSmtpLines } from '../../channels/email/smtp-server.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { addMessage } from '../base/add-message.ts'
import { createConversation } from '../base/create-conversation.ts'
import { createMailSender } from './send-to-mail.ts'

const encodedOf = (line: string): string => line.slice('AUTH PLAIN '.length)
const passwordOf = (line: string): string => Buffer.from(encodedOf(line), 'base64').toString().split('\0')[2] ?? ''
const repeated = { 'a password': passwordOf, 'an encoded password': encodedOf }

test.for(Object.entries(repeated))('a server that repeats %s does not reveal it', async ([, repeat], context) => {
  const { db, addIntegration } = await createTestChannels(drivers[0] ?? 'sqlite', context)
  const { port } = await serveSmtpLines((line) => {
    if (line.startsWith('EHLO')) return '250-here\r\n250 AUTH PLAIN'
    return line.startsWith('AUTH') ? `535 refused: ${repeat(line)}` : undefined
  })
  const credentials = { host: '127.0.0.1', port, user: 'me', password: 'open-sesame', from: 'a@example.com' }
  await addIntegration({ providerId: 'nodemailer', channel: 'email' }, credentials)
  const location = { address: 'ada@example.com', name: 'Ada', recipient: 'agent@example.com', subject: 'Hello' }
  const place = { environmentId, agentId: 'a', platform: 'email', platformContext: location } as const
  const row = await createConversation(db, place, 1)
  if (!row) throw new Error('The conversation was not stored.')
  const held = { tx: db, row, nowMs: 1, queue: { add: async () => undefined } }
  const { id: messageId } = await addMessage(held as never, { role: 'agent', text: 'Hi' })
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const send = createMailSender({ store: { db }, vault, outbound })
  const delivery = { event: 'post', messageId, attempts: 0 }
  const { fault } = await send({ conversation: row, delivery } as never, new AbortController().signal)
  expect(fault).toMatchObject({ code: 'EAUTH', message: expect.stringContaining('535 refused: ******') })
  expect(JSON.stringify(fault)).not.toContain('open-sesame')
})
