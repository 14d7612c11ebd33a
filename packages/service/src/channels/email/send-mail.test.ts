import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutbound } from '@trestle/bridge-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveWebhook } from '../channels.fixture.ts'
import { checkSmtp, sendMail } from './send-mail.ts'
import { serveSmtp, serveSmtpLines } from './smtp-server.fixture.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const mail = {
  from: 'shop@example.org',
  to: 'ada@example.com',
  subject: 'Grüße',
  html: '<p>Hi</p>',
  text: 'Hi',
  messageId: '<1@example.org>',
}
const send = (
  fields: Record<string, unknown>,
  credentials: Record<string, unknown>,
  signal = AbortSignal.timeout(5000),
) => sendMail(fields, credentials, { outbound, signal })

describe('an email', () => {
  it('arrives unchanged at a real SMTP server', async () => {
    const server = await serveSmtp()
    const receipt = await send(mail, { host: '127.0.0.1', port: server.port })
    expect(receipt).toMatchObject({ providerMessageId: '<1@example.org>', rejected: [] })
    expect(server.received).toHaveLength(1)
    const [arrived] = server.received
    expect(arrived).toMatchObject({ from: 'shop@example.org', to: ['ada@example.com'], user: undefined })
    expect(arrived?.source).toContain('Message-ID: <1@example.org>')
    expect(arrived?.source).toContain('Subject: =?UTF-8?')
    expect(arrived?.source).toContain('multipart/alternative')
  })

  it.each([['1\r\nX-Evil: 2'], ['1\nX-Evil: 2'], ['1\rX-Evil: 2'], ['1\r\n\r\nbody'], ['1\r\n two\r\nX-Evil: 2']])(
    'with the prepared header %j is not sent, because it would inject another header',
    async (value) => {
      const server = await serveSmtp()
      const credentials = { host: '127.0.0.1', port: server.port }
      const prepared = { prepared: true, value }
      for (const fields of [
        { headers: { 'X-A': prepared } },
        { headers: { 'X-A': [prepared] } },
        { headers: [{ key: 'X-A', value: prepared }] },
        { attachments: [{ filename: 'a', content: 'a', headers: { 'X-A': prepared } }] },
      ])
        await expect(send({ ...mail, ...fields }, credentials)).rejects.toMatchObject({ name: 'SendError' })
      expect(server.received).toEqual([])
      await send({ ...mail, headers: { 'X-A': { prepared: true, value: 'one\r\n two' } } }, credentials)
      expect(server.received[0]?.source).toContain('X-A: one\r\n two\r\n')
    },
  )

  it('is sent after signing in, over TLS if the server supports it', async () => {
    const server = await serveSmtp({ user: 'me', password: 'canary-password', isSecure: true })
    const credentials = { host: '127.0.0.1', port: server.port, user: 'me', password: 'canary-password' }
    await send(mail, { ...credentials, requireTls: true, tlsOptions: { rejectUnauthorized: false } })
    expect(server.received).toMatchObject([{ user: 'me', isSecure: true }])
    await expect(send(mail, { ...credentials, requireTls: true })).rejects.toMatchObject({
      name: 'SendError',
      code: 'ESOCKET',
    })
    expect(server.received).toHaveLength(1)
  })

  it('is rejected with a wrong password, and the error does not contain the password', async () => {
    const server = await serveSmtp({ user: 'me', password: 'right' })
    const credentials = { host: '127.0.0.1', port: server.port, user: 'me', password: 'canary-password' }
    const failure = await send(mail, credentials).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SendError', code: 'EAUTH' })
    expect(String(failure)).not.toContain('canary')
    expect(server.received).toEqual([])
  })

  it('never reads a file or URL in its fields', async () => {
    const server = await serveSmtp()
    const hook = await serveWebhook(200, 'canary-page')
    const file = join(mkdtempSync(join(tmpdir(), 'trestle-')), 'secret.txt')
    writeFileSync(file, 'canary-file')
    const fields = [
      { attachments: [{ filename: 'a', path: file }] },
      { attachments: [{ filename: 'a', href: hook.url }] },
      { html: { path: file } },
      { raw: { path: file } },
      { alternatives: [{ contentType: 'text/x', path: file }] },
      { attachments: [{ raw: { path: file } }] },
      { icalEvent: { path: file } },
      { amp: { path: file } },
    ]
    for (const field of fields)
      await send({ ...mail, ...field }, { host: '127.0.0.1', port: server.port }).catch(() => {})
    expect(server.received.map(({ source }) => source).join('')).not.toMatch(/canary-(file|page)/)
    expect(hook.received).toEqual([])
  })

  it('cannot gain headers through a line break in its fields', async () => {
    const server = await serveSmtp()
    const subject = 'a\r\nBcc: evil@example.com\r\nX-Evil: 1'
    await send(
      { ...mail, subject, headers: { 'x-a': 'b\r\nX-Evil: 2' } },
      { host: '127.0.0.1', port: server.port },
    ).catch(() => {})
    for (const { source, to } of server.received) {
      expect(source).not.toMatch(/^(bcc|x-evil):/im)
      expect(to).toEqual(['ada@example.com'])
    }
  })

  it.each([
    ['sender.address', { address: { toString: 5 } }],
    ['icalEvent.filename', { content: 'x', filename: [null] }],
    ['dkim.cacheDir', { domainName: 'x.org', keySelector: 'a', privateKey: 'b', cacheDir: '/tmp' }],
    ['dkim.keys.0', { keys: [null] }],
    ['auth.type', { user: 'u', type: { toString: 5 } }],
    ['auth.accessUrl', { type: 'OAuth2', user: 'u', accessUrl: 'http://127.0.0.1/' }],
    ['attachments.0.contentType', [{ contentType: {} }]],
    ['headers.content-type.0', { 'content-type': [['x']] }],
    ['newline', {}],
  ])('is not sent with an invalid field %s, which is reported', async (path, value) => {
    const server = await serveSmtp()
    const [name = ''] = path.split('.')
    const sent = send({ ...mail, [name]: value }, { host: '127.0.0.1', port: server.port })
    await expect(sent).rejects.toMatchObject({ name: 'SendError', code: 'mail_invalid' })
    await expect(sent).rejects.toThrow(`The field "${path}" of the email`)
    expect(server.received).toEqual([])
  })

  it('omits false and absent values', async () => {
    const server = await serveSmtp()
    const fields = {
      ...{ subject: false, html: false, icalEvent: false, xMailer: false, envelope: false },
      ...{
        cc: [null, { name: 'Grace' }, 'alan@example.com'],
        replyTo: {},
        headers: { 'x-one': false, 'x-two': ['a', null] },
      },
      attachments: { filename: false, content: 'hi', contentTransferEncoding: false },
    }
    await send({ ...mail, ...fields }, { host: '127.0.0.1', port: server.port })
    const [arrived] = server.received
    expect(arrived).toMatchObject({ to: ['ada@example.com', 'alan@example.com'] })
    expect(arrived?.source).not.toMatch(/false|x-mailer|x-one|reply-to/i)
    expect(arrived?.source).toContain('X-Two: a')
  })

  it('can have every email field', async () => {
    const server = await serveSmtp()
    const fields = {
      cc: [{ name: 'Grace', address: 'grace@example.com' }, 'Alan <alan@example.com>'],
      bcc: 'secret@example.com',
      inReplyTo: '<0@example.org>',
      references: ['<0@example.org>'],
      priority: 'high',
      headers: { 'x-one': 1, 'x-two': ['a', 'b'], 'content-type': null },
      list: { unsubscribe: { url: 'https://example.org/u', comment: 'out' }, help: 'help@example.org' },
      icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR' },
      alternatives: [{ contentType: 'text/x-web-markdown', content: '**Hi**' }],
      attachments: [
        { filename: 'a.txt', content: 'aGk=', encoding: 'base64', cid: 'one' },
        { path: 'data:text/plain,hi' },
      ],
      envelope: { from: 'bounce@example.org', to: ['ada@example.com', 'grace@example.com'] },
      unheardOf: { toString: 5 },
    }
    await send({ ...mail, ...fields }, { host: '127.0.0.1', port: server.port })
    const [arrived] = server.received
    expect(arrived).toMatchObject({ from: 'bounce@example.org', to: ['ada@example.com', 'grace@example.com'] })
    for (const line of [
      'Cc: Grace <grace@example.com>, Alan <alan@example.com>',
      'X-One: 1',
      'X-Two: b',
      'X-Priority: 1 (Highest)',
      'List-Unsubscribe: <https://example.org/u> (out)',
      'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
      'Content-Type: text/x-web-markdown',
      'Content-ID: <one>',
    ])
      expect(arrived?.source).toContain(line)
    expect(arrived?.source).not.toContain('secret@example.com')
  })

  it.each([
    [{}, 'credentials_missing'],
    [{ host: 'localhost', port: 25 }, 'BLOCKED_HOSTNAME'],
    [{ host: '10.0.0.1', port: 25 }, 'PRIVATE_IP'],
    [{ host: '169.254.169.254', port: 80 }, 'PRIVATE_IP'],
    [{ host: 'metadata.google.internal' }, 'BLOCKED_HOSTNAME'],
  ])('with the credentials %j fails with %s before anything is sent', async (credentials, code) => {
    await expect(send(mail, credentials)).rejects.toMatchObject({ name: 'SendError', code })
  })

  it('stops when its signal aborts, even while the server is silent', async () => {
    const silent = createServer(() => {})
    onTestFinished(() => void silent.close())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const started = performance.now()
    await expect(send(mail, { host: '127.0.0.1', port }, AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'SendError',
    })
    // Without the signal, it would wait for half a minute.
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('reports the recipients that the server rejects', async () => {
    const server = await serveSmtp({ refused: 'nobody@example.com' })
    const to = ['ada@example.com', 'nobody@example.com']
    expect(await send({ ...mail, to }, { host: '127.0.0.1', port: server.port })).toMatchObject({
      rejected: ['nobody@example.com'],
    })
    await expect(
      send({ ...mail, to: 'nobody@example.com' }, { host: '127.0.0.1', port: server.port }),
    ).rejects.toMatchObject({ code: 'EENVELOPE' })
  })
})

describe('a test of the credentials', () => {
  const check = (port: number, timeoutMs: number) =>
    checkSmtp(
      { host: '127.0.0.1', port, user: 'me', password: 'right' },
      {
        outbound,
        signal: AbortSignal.timeout(timeoutMs),
      },
    )

  it('stops when its signal aborts, even while the server keeps sending', async () => {
    const server = await serveSmtpLines((_, socket) => {
      const talk = setInterval(() => socket.write('250-more\r\n'), 20)
      socket.on('close', () => clearInterval(talk))
      return ''
    })
    const started = performance.now()
    await expect(check(server.port, 100)).rejects.toMatchObject({ name: 'SendError', code: 'send_timeout' })
    // Without the signal, it would wait for half a minute.
    expect(performance.now() - started).toBeLessThan(20_000)
    await vi.waitFor(() => expect(server.sockets.size).toBe(0))
  })

  it.each([
    'SSH-2.0-OpenSSH_9.2 internal-canary\r\n',
    'HTTP/1.1 400 internal-canary\r\n\r\n',
    '-ERR internal-canary\r\n',
  ])('never shows the output of a server that is not an SMTP server: %j', async (banner) => {
    const other = createServer((socket) => void socket.on('error', () => {}).end(banner))
    onTestFinished(() => void other.close())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const failure = await check(port, 5000).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SendError', message: 'The server at this address does not speak SMTP.' })
    await expect(send(mail, { host: '127.0.0.1', port })).rejects.not.toThrow(/canary/)
  })

  it('leaves no connection open, even if the server does not respond to QUIT', async () => {
    const said: string[] = []
    const server = await serveSmtpLines((line) => {
      said.push(line)
      return line.startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN' : line === 'QUIT' ? '' : '235 yes'
    })
    await check(server.port, 200)
    expect(said.at(1)).toMatch(/^AUTH PLAIN /)
    await vi.waitFor(() => expect(server.sockets.size).toBe(0))
    expect(said.at(-1)).toBe('QUIT')
  })
})
