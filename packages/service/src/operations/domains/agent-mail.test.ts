import { expect, it, type TestContext } from 'vitest'
import { type ReceivedMail, serveSmtp } from '../../channels/email/smtp-server.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { type MailScene, sendTo, startMailScene } from './mail.fixture.ts'

const mails = '/v1/studio/inbound-mails'

async function start(driver: 'sqlite' | 'postgres', context: TestContext) {
  const scene = await startMailScene(driver, context)
  const smtp = await serveSmtp()
  const credentials = { host: '127.0.0.1', port: smtp.port, ignoreTls: true }
  await scene.ok('POST /v1/integrations', { providerId: 'nodemailer', channel: 'email', active: true, credentials })
  await scene.ok('POST /v1/domains/in.test/routes', { address: 'help', type: 'agent', agentId: 'support' })
  const send = (mail: object): Promise<string> => sendTo(scene.service.mailPort, { to: 'help@in.test', ...mail })
  const waitForMail = async (count: number): Promise<ReceivedMail> => {
    await expect.poll(() => smtp.received.length, { timeout: 15_000 }).toBe(count)
    return smtp.received[count - 1] as ReceivedMail
  }
  return { ...scene, smtp, send, waitForMail }
}

const idOf = ({ source }: ReceivedMail): string => /^message-id: (<.*>)/im.exec(source)?.[1] ?? ''
const latestOf = async ({ call }: Pick<MailScene, 'call'>) => (await call('GET', mails)).body.data[0]

it.for(drivers)(
  'starts a conversation with an agent by mail, which continues by replies (%s)',
  async (driver, context) => {
    const { send, waitForEvents, waitForMail, reply, ok, call } = await start(driver, context)
    expect(await send({ messageId: '<q1@person.test>', attachments: [{ filename: 'log.txt', content: 'x' }] })).toMatch(
      /^250/,
    )
    const [first] = await waitForEvents(1)
    expect(first?.body).toMatchObject({
      ...{
        platform: 'email',
        platformContext: { address: 'ada@person.test', recipient: 'help@in.test', subject: 'Help' },
      },
      message: {
        text: 'It does not work.\n',
        author: { userId: 'ada@person.test', fullName: 'Ada' },
        attachments: [{ name: 'log.txt', mimeType: 'text/plain', size: 1 }],
      },
    })
    if (!first) throw new Error('no event')
    await reply(first, { reply: { text: 'Try again.' } })
    const answer = await waitForMail(1)
    expect([answer.from, answer.to]).toEqual(['help@in.test', ['ada@person.test']])
    for (const line of [
      'Subject: Re: Help',
      'In-Reply-To: <q1@person.test>',
      'Auto-Submitted: auto-replied',
      'Try again.',
    ])
      expect(answer.source).toContain(line)

    const inReplyTo = idOf(answer)
    const refused = await send({ from: 'eve@person.test', inReplyTo })
    expect(refused).toMatch(/^550 5\.7\.1 .*conversation with another address/)
    const raw = `From: ada@person.test\r\nSubject: Re: Help\r\nMessage-ID: <q2@person.test>\r\nIn-Reply-To: ${inReplyTo}\r\n\r\nThanks\r\n`
    const envelope = { from: 'ada@person.test', to: ['help@in.test'] }
    expect(await send({ raw, envelope })).toMatch(/^250/)
    expect(await send({ raw, envelope })).toMatch(/^250/)
    const [, second] = await waitForEvents(2)
    expect(second?.body).toMatchObject({ conversationId: first.body.conversationId, message: { text: 'Thanks\n' } })
    const { messages } = await ok(`GET /v1/studio/conversations/${first.body.conversationId}`)
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'agent', 'user'])
    const { data } = (await call('GET', mails)).body
    expect(data).toMatchObject([
      { status: 'delivered', type: 'agent', target: 'support', conversationId: first.body.conversationId },
      { status: 'delivered', conversationId: first.body.conversationId },
    ])
    expect(data).toHaveLength(2)
  },
)

it.for(drivers)('adds a reply to several addresses of the agent once (%s)', async (driver, context) => {
  const { send, waitForEvents, waitForMail, reply, ok } = await start(driver, context)
  await ok('POST /v1/domains/in.test/routes', { address: 'support', type: 'agent', agentId: 'support' })
  await send({ messageId: '<q1@person.test>' })
  const [first] = await waitForEvents(1)
  if (!first) throw new Error('no event')
  await reply(first, { reply: { text: 'Try again.' } })
  const inReplyTo = idOf(await waitForMail(1))
  const files = Array.from({ length: 12 }, (_, index) => ({ filename: `${index}.txt`, content: 'x' }))
  await send({ to: ['help@in.test', 'support@in.test'], messageId: '<q2@person.test>', inReplyTo, attachments: files })
  const [, second] = await waitForEvents(2)
  expect(second?.body.message.attachments).toHaveLength(12)
  const { messages } = await ok(`GET /v1/studio/conversations/${first.body.conversationId}`)
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'agent', 'user'])
})

it.for(drivers)(
  'stores nothing of a mail that is rejected because too many events are pending (%s)',
  async (driver, context) => {
    const { send, waitForEvents, waitForMail, reply, ok, service } = await start(driver, context)
    await send({ messageId: '<q1@person.test>' })
    const [first] = await waitForEvents(1)
    if (!first) throw new Error('no event')
    await reply(first, { reply: { text: 'Try again.' } })
    const inReplyTo = idOf(await waitForMail(1))
    const { conversationId } = first.body
    const { db } = service.store
    const ofConversation = db.selectFrom('conversationDeliveries').selectAll().where('target', '=', 'bridge')
    await expect.poll(async () => (await ofConversation.executeTakeFirst())?.status).toBe('acknowledged')
    const row = await ofConversation.executeTakeFirstOrThrow()
    const pending = Array.from({ length: 1000 }, (_, at) => ({
      ...{ ...row, id: `waiting${at}`, position: 10_000 + at, status: 'pending' as const },
    }))
    for (let at = 0; at < pending.length; at += 50)
      await db
        .insertInto('conversationDeliveries')
        .values(pending.slice(at, at + 50))
        .execute()
    const mail = { messageId: '<q2@person.test>', inReplyTo, text: 'Still broken.' }
    expect(await send(mail)).toMatch(/^451 4\.3\.1 1000 deliveries/)
    const rolesOf = async () =>
      (await ok(`GET /v1/studio/conversations/${conversationId}`)).messages.map(({ role }: { role: string }) => role)
    expect(await rolesOf()).toEqual(['user', 'agent'])
    await db.deleteFrom('conversationDeliveries').where('id', 'like', 'waiting%').execute()
    expect(await send(mail)).toMatch(/^250/)
    const [, second] = await waitForEvents(2)
    expect(second?.body.message.text).toBe('Still broken.\n')
    expect(await rolesOf()).toEqual(['user', 'agent', 'user'])
  },
)

it('passes an email without a text part to the agent as plain text', async (context) => {
  const { send, waitForEvents } = await start('sqlite', context)
  const html = '<style>p { color: red }</style><p>Fish &amp; <a href="https://app.test/">chips</a></p><p>Bye</p>'
  expect(await send({ text: undefined, html })).toMatch(/^250/)
  const [event] = await waitForEvents(1)
  expect(event?.body.message.text).toBe('Fish & chips (https://app.test/)\n\nBye')
})

it('drops unauthenticated and automatic mail to an agent', async (context) => {
  const { send, bridge, call, waitForEvents } = await start('sqlite', context)
  expect(await send({ from: 'x@unknown.test' })).toMatch(/^550 5\.7\.1 .*x@unknown\.test.*SPF/)
  expect(await send({ headers: { 'auto-submitted': 'auto-replied' } })).toMatch(/^250/)
  expect(await latestOf({ call })).toMatchObject({ status: 'ignored', reason: expect.stringContaining('auto-reply') })
  expect(await send({ envelope: { from: '', to: ['help@in.test'] } })).toMatch(/^250/)
  expect(await latestOf({ call })).toMatchObject({ status: 'ignored', reason: expect.stringContaining('bounce') })
  await send({ text: 'A person' })
  expect((await waitForEvents(1)).map(({ body }) => body.message.text)).toEqual(['A person\n'])
  expect(bridge.events).toHaveLength(1)
})

it('drops mail whose header two readers could understand differently', async (context) => {
  const { send, bridge, waitForEvents } = await start('sqlite', context)
  const envelope = { from: 'ada@person.test', to: ['help@in.test'] }
  for (const line of ['From\x0b: eve@person.test', 'Subject: Pay Eve'])
    expect(await send({ raw: `${line}\r\nFrom: ada@person.test\r\nSubject: Hi\r\n\r\nForged\r\n`, envelope })).toMatch(
      /^554 5\.6\.0 /,
    )
  await send({ text: 'Genuine' })
  expect((await waitForEvents(1)).map(({ body }) => body.message.text)).toEqual(['Genuine\n'])
  expect(bridge.events).toHaveLength(1)
})

it('drops mail from other agents, so that agents never write to each other', async (context) => {
  const { send, waitForEvents, waitForMail, reply, smtp, call } = await start('sqlite', context)
  await send({ messageId: '<q1@person.test>' })
  const [event] = await waitForEvents(1)
  if (!event) throw new Error('no event')
  await reply(event, { reply: { text: 'Hello' } })
  const { source } = await waitForMail(1)
  const raw = source.replace(/^From: .*$/m, 'From: bot@person.test')
  expect(await send({ raw, envelope: { from: 'bot@person.test', to: ['help@in.test'] } })).toMatch(/^250/)
  expect(await latestOf({ call })).toMatchObject({ status: 'ignored', sender: 'bot@person.test', verdict: 'pass' })
  expect(smtp.received).toHaveLength(1)
})

it('shows in the conversation why no mail can be sent', async (context) => {
  const { send, waitForEvents, reply, ok, call, smtp } = await start('sqlite', context)
  const [{ _id: id }] = (await ok('GET /v1/integrations')).filter(
    ({ providerId }: { providerId: string }) => providerId === 'nodemailer',
  )
  await call('DELETE', `/v1/integrations/${id}`)
  await send({})
  const [event] = await waitForEvents(1)
  if (!event) throw new Error('no event')
  await reply(event, { reply: { text: 'Hello' } })
  await expect
    .poll(async () => (await ok(`GET /v1/studio/conversations/${event.body.conversationId}`)).messages.at(-1).text)
    .toContain('no active email integration')
  expect(smtp.received).toEqual([])
})
