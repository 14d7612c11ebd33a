import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createOutbound } from '@trestle/bridge-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCertificate } from '../../../../bridge-client/fixtures/certificate.ts'
import { checkSmtp, sendMail } from './send-mail.ts'
import { serveSmtp, serveSmtpLines } from './smtp-server.fixture.ts'

const mail = { from: 'shop@example.org', to: 'ada@example.com', subject: 'Hi', html: '<p>Hi</p>', text: 'Hi' }

/** The addresses of the name `mail.example.com`. */
const addressesAre = (...addresses: readonly string[]) =>
  createOutbound({ allow: ['127.0.0.0/8'], lookup: async () => addresses })

const local = addressesAre('127.0.0.1')
const send = (credentials: Record<string, unknown>, outbound = local, signal = AbortSignal.timeout(20_000)) =>
  sendMail(mail, { host: 'mail.example.com', ...credentials }, { outbound, signal })

async function listen(server: Server, at: { readonly host?: string; readonly port?: number } = {}): Promise<number> {
  const { host = '127.0.0.1', port = 0 } = at
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const silent = () => createServer(() => {})
const unsent = { name: 'SendError', blame: 'integration', waitMs: 0 }
const unknown = { name: 'SendError', blame: 'unknown', waitMs: undefined }

describe('an email that was not announced to the server can be sent again', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['closes before the greeting', (socket) => socket.end(), 'ECONNECTION'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'ESOCKET'],
    ['is too busy', (socket) => socket.end('421 busy\r\n'), 'EPROTOCOL'],
    ['is not an SMTP server', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'EPROTOCOL'],
    [
      'closes after the greeting',
      (socket) => socket.on('data', () => socket.end()).write('220 here\r\n'),
      'ECONNECTION',
    ],
    [
      'defers the login',
      (socket) => {
        socket.write('220 here\r\n')
        socket.on('data', (line) =>
          socket.write(String(line).startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : '454 later\r\n'),
        )
      },
      'EAUTH',
    ],
  ])('if the server %s', async (_what, onSocket, code) => {
    const port = await listen(createServer(onSocket))
    await expect(send({ port, user: 'me', password: 'secret' })).rejects.toMatchObject({ ...unsent, code })
  })

  it('if the name of the server does not exist at the moment', async () => {
    await expect(send({ port: 25 }, addressesAre())).rejects.toMatchObject({ ...unsent, code: 'DNS_LOOKUP_FAILED' })
  })

  it('if the server is silent, before or after the connection', async () => {
    const port = await listen(silent())
    const failures = [send({ port }), send({ port, secure: true })].map((sent) => sent.catch((error: unknown) => error))
    expect(await Promise.all(failures)).toMatchObject([
      { ...unsent, code: 'ETIMEDOUT', message: 'Greeting never received' },
      // TLS does not connect, like a server whose packets are dropped.
      { ...unsent, code: 'ETIMEDOUT', message: 'Connection timeout' },
    ])
  }, 15_000)

  it.each([{ expired: true }, { expired: false }])('if its certificate is invalid: %j', async (options) => {
    const { cert, key } = createCertificate('mail.example.com', options)
    const port = await listen(createTlsServer({ cert, key }))
    const ca = options.expired ? { tlsOptions: { ca: cert } } : {}
    await expect(send({ port, secure: true, ...ca })).rejects.toMatchObject({ ...unsent, code: 'ESOCKET' })
  })

  it('if the port does not use TLS', async () => {
    const { port } = await serveSmtp()
    await expect(send({ port, secure: true })).rejects.toMatchObject({ ...unsent, code: 'ESOCKET' })
    await expect(send({ port, requireTls: true })).rejects.toMatchObject({ blame: 'integration' })
  })

  it('if the server takes too long before it knows the sender', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { port } = await serveSmtpLines((line) => {
      if (line.startsWith('EHLO')) vi.advanceTimersByTime(20_000)
      return ''
    })
    await expect(send({ port })).rejects.toMatchObject({ ...unsent, code: 'send_timeout' })
  })

  it('by another integration only, if the server rejects the client for good', async () => {
    const port = await listen(createServer((socket) => socket.end('554 blocked\r\n')))
    await expect(send({ port })).rejects.toMatchObject({ blame: 'integration', waitMs: undefined })
  })
})

it.each(['MAIL FROM', 'DATA', '.'])('an email may have been accepted if the connection is lost at %s', async (last) => {
  const { port } = await serveSmtpLines((line, socket) => {
    if (line.startsWith(last)) socket.destroy()
    return undefined
  })
  await expect(send({ port })).rejects.toMatchObject({ ...unknown, code: 'ECONNECTION' })
})

describe('a mail server with several addresses', () => {
  const both = addressesAre('127.0.0.2', '127.0.0.1')

  it('is reached if the first refuses connections', async () => {
    const server = await serveSmtp({ user: 'me', password: 'right' })
    const credentials = { port: server.port, user: 'me', password: 'right' }
    await send(credentials, both)
    expect(server.received).toHaveLength(1)
    const options = { outbound: both, signal: AbortSignal.timeout(5000) }
    await checkSmtp({ host: 'mail.example.com', ...credentials }, options)
  })

  it('is reached soon if the first closes its connections, or never answers', async () => {
    const server = await serveSmtp()
    const [closing, quiet] = [createServer((socket) => socket.end()), silent()]
    await listen(closing, { host: '127.0.0.2', port: server.port })
    await listen(quiet, { host: '127.0.0.3', port: server.port })
    const more = Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 4}`)
    const started = performance.now()
    await send(server, addressesAre('127.0.0.2', '127.0.0.3', '127.0.0.1', ...more))
    expect(server.received).toHaveLength(1)
    // A single silent address may take five seconds.
    expect(performance.now() - started).toBeLessThan(4500)
  })

  it('fails with the reason of the last one', async () => {
    const port = await listen(createServer((socket) => socket.end('421 busy\r\n')))
    await expect(send({ port }, both)).rejects.toMatchObject({ ...unsent, code: 'EPROTOCOL' })
  })

  it('is tried at one address only after it rejected the password or may have the email', async () => {
    const asked: string[] = []
    const { port } = await serveSmtpLines((line, socket) => {
      if (line.startsWith('EHLO')) return '250-here\r\n250 AUTH PLAIN'
      if (line.startsWith('AUTH')) return line.length > 30 ? '535 no' : '235 yes'
      if (line === '.') socket.destroy()
      return undefined
    })
    const other = createServer((socket) => {
      asked.push('connected')
      socket.end()
    })
    await listen(other, { host: '127.0.0.2', port })
    const outbound = addressesAre('127.0.0.1', '127.0.0.2')
    await expect(send({ port, user: 'me', password: 'a-wrong-password' }, outbound)).rejects.toMatchObject({
      ...{ code: 'EAUTH', blame: 'integration', waitMs: undefined },
    })
    await expect(send({ port, user: 'me', password: 'right' }, outbound)).rejects.toMatchObject(unknown)
    expect(asked).toEqual([])
  })
})
