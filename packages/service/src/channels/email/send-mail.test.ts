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

describe('a mail', () => {
  it('arrives at a real SMTP server as it was written', async () => {
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

  it('is sent after signing in, over TLS where the server has it', async () => {
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

  it('is refused with a wrong password, and the error does not hold it', async () => {
    const server = await serveSmtp({ user: 'me', password: 'right' })
    const credentials = { host: '127.0.0.1', port: server.port, user: 'me', password: 'canary-password' }
    const failure = await send(mail, credentials).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SendError', code: 'EAUTH' })
    expect(String(failure)).not.toContain('canary')
    expect(server.received).toEqual([])
  })

  it('never reads a file or an address that its fields name', async () => {
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

  it('cannot gain headers by a line end in its fields', async () => {
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
    [{}, 'credentials_missing'],
    [{ host: 'localhost', port: 25 }, 'BLOCKED_HOSTNAME'],
    [{ host: '10.0.0.1', port: 25 }, 'PRIVATE_IP'],
    [{ host: '169.254.169.254', port: 80 }, 'PRIVATE_IP'],
    [{ host: 'metadata.google.internal' }, 'BLOCKED_HOSTNAME'],
  ])('with the credentials %j fails with %s before anything is sent', async (credentials, code) => {
    await expect(send(mail, credentials)).rejects.toMatchObject({ name: 'SendError', code })
  })

  it('ends when its signal aborts, also while the server says nothing', async () => {
    const silent = createServer(() => {})
    onTestFinished(() => void silent.close())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const started = performance.now()
    await expect(send(mail, { host: '127.0.0.1', port }, AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'SendError',
    })
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('with recipients the server does not take says which', async () => {
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

describe('a try of the credentials', () => {
  const check = (port: number, timeoutMs: number) =>
    checkSmtp(
      { host: '127.0.0.1', port, user: 'me', password: 'right' },
      {
        outbound,
        signal: AbortSignal.timeout(timeoutMs),
      },
    )

  it('ends when its signal aborts, also while the server goes on talking', async () => {
    const server = await serveSmtpLines((_, socket) => {
      const talk = setInterval(() => socket.write('250-more\r\n'), 20)
      socket.on('close', () => clearInterval(talk))
      return ''
    })
    const started = performance.now()
    await expect(check(server.port, 100)).rejects.toMatchObject({ name: 'SendError', code: 'send_timeout' })
    expect(performance.now() - started).toBeLessThan(2000)
    await vi.waitFor(() => expect(server.sockets.size).toBe(0))
  })

  it('leaves no connection open, also where the server does not say goodbye', async () => {
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
