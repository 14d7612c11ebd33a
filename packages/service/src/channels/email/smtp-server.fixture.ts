import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** An email that the test server accepted. */
export interface ReceivedMail {
  readonly from: string | undefined
  readonly to: readonly string[]
  readonly source: string
  readonly user: string | undefined
  readonly isSecure: boolean
}

/** Options of a test server. By default it accepts everything. */
export interface SmtpOptions {
  readonly user?: string
  readonly password?: string
  /** Whether to offer STARTTLS, with a self-signed certificate. */
  readonly isSecure?: boolean
  /** An address to reject. */
  readonly refused?: string
  /** The status code for the rejected address. @default 550 */
  readonly responseCode?: number
}

/** Starts a real SMTP server on loopback that is stopped when the test ends. */
export async function serveSmtp(options: SmtpOptions = {}): Promise<{ port: number; received: ReceivedMail[] }> {
  const received: ReceivedMail[] = []
  const { user, password, isSecure = false, refused, responseCode = 550 } = options
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: isSecure ? [] : ['STARTTLS'],
    logger: false,
    onAuth(given, _session, done) {
      if (given.username === user && given.password === password) done(null, { user: given.username ?? '' })
      else done(new Error('Authentication failed'))
    },
    onRcptTo(address: SMTPServerAddress, _session, done) {
      done(address.address === refused ? Object.assign(new Error('No such user'), { responseCode }) : null)
    },
    onData(stream, session: SMTPServerSession, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : undefined,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
          user: typeof session.user === 'string' ? session.user : undefined,
          isSecure: session.secure,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, received }
}

/** A server with scripted responses. */
export interface SmtpLines {
  readonly port: number
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>
}

/**
 * Starts a server on loopback that is stopped when the test ends. It sends the scripted response to each line (`.` for
 * a whole email), or accepts the line.
 */
export async function serveSmtpLines(answer: (line: string, socket: Socket) => string | undefined): Promise<SmtpLines> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.write('220 here\r\n')
    let isMail = false
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const lines = text.split('\r\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (isMail && line !== '.') continue
        const said = answer(line, socket) ?? (line === 'DATA' ? '354 go on' : '250 yes')
        isMail = said.startsWith('354')
        if (said !== '') socket.write(`${said}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}
