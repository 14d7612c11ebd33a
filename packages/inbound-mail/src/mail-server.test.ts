import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { SendMailOptions } from 'nodemailer'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../bridge-client/fixtures/certificate.ts'
import { type MailScene, spf, startScene } from './mail-scene.fixture.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const signed = { dkim: { domainName: 'sender.test', keySelector: 'k1', privateKey } }
const signingKey = { TXT: [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`] }
const domainKey = 'k1._domainkey.sender.test'

it('receives an email with its parts', async () => {
  const { send, received, faults } = await startScene()
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

describe('the sender of an email', () => {
  it.each([
    ['is proved by SPF of the same domain', { TXT: [spf] }, undefined, {}, 'pass'],
    ['is proved by a signature of the same domain', { TXT: ['v=spf1 -all'] }, undefined, signed, 'pass'],
    ['is proved by DMARC', { TXT: [spf] }, 'v=DMARC1; p=reject', {}, 'pass'],
    ['is not proved where nothing is said', {}, undefined, {}, 'none'],
    ['is not proved by SPF alone that fails', { TXT: ['v=spf1 -all'] }, undefined, {}, 'none'],
    ['is denied by DMARC, without a request to refuse', { TXT: ['v=spf1 -all'] }, 'v=DMARC1; p=none', {}, 'fail'],
  ])('%s', async (_what, records, dmarc, transport, verdict) => {
    const { dns, send, received } = await startScene()
    dns.zone.set('sender.test', records)
    dns.zone.set(domainKey, signingKey)
    if (dmarc !== undefined) dns.zone.set('_dmarc.sender.test', { TXT: [dmarc] })
    expect(await send({}, transport)).toMatch(/^250/)
    expect(received[0]?.authentication.verdict).toBe(verdict)
  })

  it('is rejected if its domain’s policy requires it, even with the signature of another domain', async () => {
    const { dns, send, received } = await startScene()
    dns.zone.set(domainKey, signingKey)
    dns.zone.set('bank.test', { TXT: ['v=spf1 -all'] })
    dns.zone.set('_dmarc.bank.test', { TXT: ['v=DMARC1; p=reject'] })
    const mail = { from: 'boss@bank.test', envelope: { from: 'ada@sender.test', to: ['support@in.test'] } }
    expect(await send(mail, signed)).toMatch(/^550 5\.7\.26 .*bank\.test.*DMARC/)
    expect(received).toEqual([])
  })

  it('is deferred if the name servers of its domain do not respond', async () => {
    const { dns, send, faults } = await startScene()
    dns.zone.set('_dmarc.sender.test', 'SERVFAIL')
    dns.zone.set('sender.test', 'SERVFAIL')
    expect(await send({})).toMatch(/^451 4\.7\.24 /)
    expect(faults).toEqual([])
  })

  it('is not authenticated if the email was modified', async () => {
    const { dns, send, received } = await startScene()
    dns.zone.set('sender.test', {})
    dns.zone.set(domainKey, signingKey)
    await send({}, signed)
    expect(received[0]?.authentication).toMatchObject({
      verdict: 'pass',
      dkim: [{ result: 'pass', domain: 'sender.test' }],
    })
    dns.zone.set(domainKey, { TXT: ['v=DKIM1; k=rsa; p='] })
    await send({}, signed)
    expect(received[1]?.authentication.verdict).toBe('none')
  })
})

describe('rejects an email', () => {
  const rejected: readonly [string, SendMailOptions, RegExp][] = [
    ['for an address that is not here', { to: 'who@else.test' }, /^550 5\.1\.1 /],
    ['that is too large', { text: 'x'.repeat(150_000) }, /^552 /],
    ['with two authors', { from: 'a@sender.test, b@sender.test' }, /^550 5\.6\.0 .*exactly one From/],
    ['with two From headers', { raw: 'From: a@sender.test\r\nFrom: b@sender.test\r\n\r\nx' }, /^550 5\.6\.0 /],
    ['without an author', { raw: 'Subject: x\r\n\r\nx' }, /^550 5\.6\.0 /],
    ['with a malformed header', { raw: 'From\x0b: a@x.test\r\nFrom: b@sender.test\r\n\r\nx' }, /^554 5\.6\.0 Line 1 /],
    [
      'with two subjects',
      { raw: 'Subject: x\r\nSubject: y\r\nFrom: a@sender.test\r\n\r\nx' },
      /^554 5\.6\.0 .*2 headers "subject"/,
    ],
    [
      'that was delivered to the address before',
      { headers: { 'delivered-to': 'Support@in.test' } },
      /^554 5\.4\.6 .*in a loop/,
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
  ]

  it('for its address, size or headers', async () => {
    // One server for all, because each starts a thread.
    const { send, received, faults } = await startScene()
    for (const [what, mail, expected] of rejected) {
      const envelope = { from: 'ada@sender.test', to: [String(mail.to ?? 'support@in.test')] }
      expect(await send({ envelope, ...mail }), what).toMatch(expected)
    }
    expect([received, faults]).toEqual([[], []])
  })

  it('with endless nesting', async () => {
    const raw = Array.from(
      { length: 60 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    )
    const { send } = await startScene()
    const envelope = { from: 'ada@sender.test', to: ['support@in.test'] }
    expect(await send({ envelope, raw: `From: a@sender.test\r\n${raw.join('')}` })).toMatch(/^554 5\.6\.0 /)
  })

  it('with the reason from the handler, and defers it if the handler fails', async () => {
    let fault: Error | undefined
    const { send, faults } = await startScene({
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

describe('defers a sender', () => {
  /** Opens a connection that stays open; resolves to the greeting. */
  async function hold({ server }: MailScene) {
    const socket = connect(server.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const [greeting] = await once(socket, 'data')
    return { socket, greeting: String(greeting) }
  }

  it('with too many recipients and emails', async () => {
    const { send, received, refused } = await startScene({ maxRecipients: 2, mailsPerMinute: 3 })
    expect(await send({ to: 'a@in.test, b@in.test, c@in.test' })).toMatch(/^250/)
    expect(received[0]?.recipients).toEqual(['a@in.test', 'b@in.test'])
    expect(refused).toContainEqual(expect.stringMatching(/^452 4\.5\.3 /))
    const answers = [await send({}), await send({}), await send({})]
    expect(answers.map((text) => text.slice(0, 3))).toEqual(['250', '250', '451'])
  })

  it('with too many connections, even after repeated refusals', async () => {
    const scene = await startScene({ maxConnectionsPerAddress: 1 })
    const held = await hold(scene)
    expect(held.greeting).toMatch(/^220 /)
    for (let attempt = 0; attempt < 3; attempt++) {
      const { socket, greeting } = await hold(scene)
      expect(greeting).toMatch(/^421 4\.7\.0 /)
      if (!socket.closed) await once(socket, 'close')
    }
    held.socket.destroy()
    await expect.poll(() => scene.send({})).toMatch(/^250/)
  })

  it('that keeps its connection busy for longer than the session limit', async () => {
    const scene = await startScene({ maxSessionMs: 300 })
    const { socket } = await hold(scene)
    const busy = setInterval(() => socket.write('NOOP\r\n'), 20)
    onTestFinished(() => clearInterval(busy))
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.resume().once('close', resolve))
    expect(await (await startScene()).send({})).toMatch(/^250/)
  })
})

it('receives mail over TLS after STARTTLS', async () => {
  const certificate = createCertificate('127.0.0.1')
  const { send, received } = await startScene({ certificate })
  expect(await send({}, { ignoreTLS: false, requireTLS: true, tls: { ca: certificate.cert } })).toMatch(/^250/)
  expect(await send({}, { ignoreTLS: false, requireTLS: true })).toMatch(/self-signed certificate/)
  expect(await send({})).toMatch(/^250/)
  expect(received.map(({ isSecure }) => isSecure)).toEqual([true, false])
})

it('recognizes automatic emails', async () => {
  const kinds: readonly [SendMailOptions, string | undefined][] = [
    [{ headers: { 'auto-submitted': 'auto-replied' } }, 'auto-reply'],
    [{ headers: { 'auto-submitted': 'auto-generated; x=y' } }, 'generated'],
    [{ headers: { 'auto-submitted': 'no' } }, undefined],
    [{ headers: { 'x-autoreply': 'yes' } }, 'auto-reply'],
    [{ headers: { precedence: 'bulk' } }, 'generated'],
    [{ headers: { 'list-id': '<l.sender.test>' } }, 'list'],
    [{ envelope: { from: '', to: ['support@in.test'] } }, 'bounce'],
  ]
  const { send, received } = await startScene()
  for (const [mail, kind] of kinds) {
    await send(mail)
    expect(received.pop()?.automatic?.kind, JSON.stringify(mail)).toBe(kind)
  }
})
