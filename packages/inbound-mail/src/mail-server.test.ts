import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type RecordServer, serveRecords } from '../../bridge-client/fixtures/record-server.ts'
import { createRecordLookup } from '../../bridge-client/src/dns/record-lookup.ts'
import { type MailServer, type MailServerOptions, startMailServer } from './mail-server.ts'
import type { ReceivedMail } from './received-mail.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const signed = { dkim: { domainName: 'sender.test', keySelector: 'k1', privateKey } }
const spf = 'v=spf1 ip4:127.0.0.1 -all'

let dns: RecordServer
let server: MailServer
let received: ReceivedMail[]
let faults: unknown[]
let refused: string[]

async function start(options: Partial<MailServerOptions> = {}): Promise<void> {
  server = await startMailServer({
    ...{ port: 0, host: '127.0.0.1', hostName: 'mx.service.test', maxMessageBytes: 100_000 },
    findRecords: createRecordLookup({
      servers: [dns.address],
      serverTimeoutMs: 50,
    }) as MailServerOptions['findRecords'],
    onRecipient: async (address) =>
      address.endsWith('@in.test') ? undefined : { code: 550, message: '5.1.1 There is no such address here.' },
    async onMail(mail) {
      received.push(mail)
      return undefined
    },
    onError: (error) => faults.push(error),
    onRefusal: ({ code, message }) => refused.push(`${code} ${message}`),
    ...options,
  })
}

beforeEach(async () => {
  received = []
  faults = []
  refused = []
  dns = await serveRecords({
    'sender.test': { TXT: [spf] },
    'k1._domainkey.sender.test': { TXT: [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`] },
  })
})
afterEach(() => server.stop())

const plain = { from: 'Ada <ada@sender.test>', to: 'support@in.test', subject: 'Hello', text: 'How are you?' }

/** Sends a mail as a mail server does; resolves to what was answered. */
async function send(mail: SendMailOptions, transport: object = {}): Promise<string> {
  const client = createTransport({
    host: '127.0.0.1',
    port: server.port,
    ignoreTLS: true,
    name: 'out.sender.test',
    ...transport,
  })
  try {
    return (await client.sendMail({ ...plain, ...mail })).response
  } catch (error) {
    return (error as { response?: string }).response ?? String(error)
  } finally {
    client.close()
  }
}

it('receives a mail with its parts', async () => {
  await start()
  const answer = await send({
    to: 'Support <support@in.test>, other@in.test',
    ...{
      html: '<p>Hi</p>',
      messageId: '<m1@sender.test>',
      inReplyTo: '<q@in.test>',
      references: ['<a@in.test>', '<q@in.test>'],
    },
    attachments: [{ filename: 'a.txt', content: 'file' }],
  })
  expect(answer).toMatch(/^250/)
  expect(received).toMatchObject([
    {
      ...{
        recipients: ['support@in.test', 'other@in.test'],
        envelopeFrom: 'ada@sender.test',
        remoteAddress: '127.0.0.1',
      },
      ...{
        helo: 'out.sender.test',
        isSecure: false,
        subject: 'Hello',
        html: '<p>Hi</p>\n',
        messageId: '<m1@sender.test>',
      },
      ...{ from: { address: 'ada@sender.test', name: 'Ada' }, to: [{ name: 'Support' }, { address: 'other@in.test' }] },
      answers: ['<q@in.test>', '<a@in.test>'],
      attachments: [{ fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 4, content: 'ZmlsZQ==' }],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      automatic: undefined,
    },
  ])
  expect(received[0]?.text).toContain('How are you?')
  expect(faults).toEqual([])
})

describe('the sender of a mail', () => {
  it.each([
    ['is proved by SPF of the same domain', { TXT: [spf] }, undefined, {}, 'pass'],
    ['is proved by a signature of the same domain', { TXT: ['v=spf1 -all'] }, undefined, signed, 'pass'],
    ['is proved by DMARC', { TXT: [spf] }, 'v=DMARC1; p=reject', {}, 'pass'],
    ['is not proved where nothing is said', {}, undefined, {}, 'none'],
    ['is not proved by SPF alone that fails', { TXT: ['v=spf1 -all'] }, undefined, {}, 'none'],
    ['is denied by DMARC, without a request to refuse', { TXT: ['v=spf1 -all'] }, 'v=DMARC1; p=none', {}, 'fail'],
  ])('%s', async (_what, records, dmarc, transport, verdict) => {
    dns.zone.set('sender.test', records)
    if (dmarc !== undefined) dns.zone.set('_dmarc.sender.test', { TXT: [dmarc] })
    await start()
    expect(await send({}, transport)).toMatch(/^250/)
    expect(received[0]?.authentication.verdict).toBe(verdict)
  })

  it('is refused where its domain asks for it, even with the signature of another domain', async () => {
    dns.zone.set('bank.test', { TXT: ['v=spf1 -all'] })
    dns.zone.set('_dmarc.bank.test', { TXT: ['v=DMARC1; p=reject'] })
    await start()
    const mail = { from: 'boss@bank.test', envelope: { from: 'ada@sender.test', to: ['support@in.test'] } }
    expect(await send(mail, signed)).toMatch(/^550 5\.7\.26 .*bank\.test.*DMARC/)
    expect(received).toEqual([])
  })

  it('is asked to come back while the name servers of its domain do not answer', async () => {
    dns.zone.set('_dmarc.sender.test', 'SERVFAIL')
    dns.zone.set('sender.test', 'SERVFAIL')
    await start()
    expect(await send({})).toMatch(/^451 4\.7\.24 /)
    expect(faults).toEqual([])
  })

  it('is not proved by a changed mail', async () => {
    dns.zone.set('sender.test', {})
    await start()
    await send({}, signed)
    expect(received[0]?.authentication).toMatchObject({
      verdict: 'pass',
      dkim: [{ result: 'pass', domain: 'sender.test' }],
    })
    dns.zone.set('k1._domainkey.sender.test', { TXT: ['v=DKIM1; k=rsa; p='] })
    await send({}, signed)
    expect(received[1]?.authentication.verdict).toBe('none')
  })
})

describe('a mail is refused', () => {
  it.each<[string, SendMailOptions, RegExp]>([
    ['for an address that is not here', { to: 'who@else.test' }, /^550 5\.1\.1 /],
    ['that is too large', { text: 'x'.repeat(150_000) }, /^552 /],
    ['with two authors', { from: 'a@sender.test, b@sender.test' }, /^550 5\.6\.0 .*exactly one From/],
    ['with two From headers', { raw: 'From: a@sender.test\r\nFrom: b@sender.test\r\n\r\nx' }, /^550 5\.6\.0 /],
    ['without an author', { raw: 'Subject: x\r\n\r\nx' }, /^550 5\.6\.0 /],
    [
      'that was delivered to the address before',
      { headers: { 'delivered-to': 'Support@in.test' } },
      /^554 5\.4\.6 .*in circles/,
    ],
    [
      'that has passed too many servers',
      { raw: `${'Received: from a by b\r\n'.repeat(31)}From: a@sender.test\r\n\r\nx` },
      /^554 5\.4\.6 .*31 servers/,
    ],
    [
      'with too many signatures',
      { raw: `${'DKIM-Signature: v=1; d=sender.test\r\n'.repeat(11)}From: a@sender.test\r\n\r\nx` },
      /^554 5\.7\.1 .*signatures/,
    ],
  ])('%s', async (_what, mail, expected) => {
    await start()
    const envelope = { from: 'ada@sender.test', to: [String(mail.to ?? 'support@in.test')] }
    expect(await send({ envelope, ...mail })).toMatch(expected)
    expect([received, faults]).toEqual([[], []])
  })

  it('that is nested without end', async () => {
    const raw = Array.from(
      { length: 60 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    )
    await start()
    const envelope = { from: 'ada@sender.test', to: ['support@in.test'] }
    expect(await send({ envelope, raw: `From: a@sender.test\r\n${raw.join('')}` })).toMatch(/^554 5\.6\.0 /)
  })

  it('with the reason of the one who stores it, and put off when that fails', async () => {
    let fault: Error | undefined
    await start({
      onMail: async () => {
        if (fault) throw fault
        return { code: 550, message: '5.7.1 Not for us.' }
      },
    })
    expect(await send({})).toBe('550 5.7.1 Not for us.')
    fault = new Error('database of the service at 10.0.0.7 is down')
    expect(await send({})).toBe('451 4.3.0 The mail could not be stored. Try again later.')
    expect(faults).toEqual([fault])
  })
})

describe('a sender is put off', () => {
  it('with too many recipients, mails and connections', async () => {
    await start({ maxRecipients: 2, mailsPerMinute: 3, maxConnectionsPerAddress: 1 })
    const held = connect(server.port, '127.0.0.1')
    onTestFinished(() => void held.destroy())
    await new Promise((resolve) => held.once('data', resolve))
    expect(await send({})).toMatch(/^421 4\.7\.0 /)
    held.destroy()
    await expect.poll(() => send({ to: 'a@in.test, b@in.test, c@in.test' })).toMatch(/^250/)
    expect(received[0]?.recipients).toEqual(['a@in.test', 'b@in.test'])
    expect(refused).toContainEqual(expect.stringMatching(/^452 4\.5\.3 /))
    const answers = [await send({}), await send({}), await send({})]
    expect(answers.map((text) => text.slice(0, 3))).toEqual(['250', '250', '451'])
  })
})

it.each([
  [{ headers: { 'auto-submitted': 'auto-replied' } }, 'auto-reply'],
  [{ headers: { 'auto-submitted': 'auto-generated; x=y' } }, 'generated'],
  [{ headers: { 'auto-submitted': 'no' } }, undefined],
  [{ headers: { 'x-autoreply': 'yes' } }, 'auto-reply'],
  [{ headers: { precedence: 'bulk' } }, 'generated'],
  [{ headers: { 'list-id': '<l.sender.test>' } }, 'list'],
  [{ envelope: { from: '', to: ['support@in.test'] } }, 'bounce'],
])('knows of %j that no person wrote it', async (mail, kind) => {
  await start()
  await send(mail)
  expect(received[0]?.automatic?.kind).toBe(kind)
})
