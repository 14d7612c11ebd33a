import type { AddressInfo, Socket } from 'node:net'
import { type BodyLimit, createBodyBuffer } from '@trestle/protocol'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { FindRecords } from './authenticate-mail.ts'
import { createRate } from './rate.ts'
import { createMailReader, type MailReader } from './read-mail.ts'
import type { ReceivedMail } from './received-mail.ts'
import { type MailRefusal, RefusedMailError } from './refused-mail.ts'

/** Options of the mail server. */
export interface MailServerOptions {
  /** The port; 0 for any free port. */
  readonly port: number
  /** The address to listen on. */
  readonly host: string
  /** The host name of the server. */
  readonly hostName: string
  /** Key and certificate for STARTTLS, PEM. @default no TLS */
  readonly certificate?: { readonly key: string; readonly cert: string } | undefined
  /** The maximum size of an email, in bytes. */
  readonly maxMessageBytes: number
  /** The maximum number of recipients per email. @default 50 */
  readonly maxRecipients?: number
  /** The maximum number of connections. @default 100 */
  readonly maxConnections?: number
  /** The maximum number of connections per client address. @default 10 */
  readonly maxConnectionsPerAddress?: number
  /** The maximum number of emails per client address and minute. @default 60 */
  readonly mailsPerMinute?: number
  /** The maximum duration of a connection in milliseconds. @default 10 minutes */
  readonly maxSessionMs?: number
  /** The maximum time for parsing and authenticating one email, in milliseconds. @default 60 seconds */
  readonly maxReadingMs?: number
  /** Looks up DNS records. */
  readonly findRecords: FindRecords
  /** Returns why a recipient is rejected; undefined if it is accepted. */
  onRecipient(address: string): Promise<MailRefusal | undefined>
  /** Stores an email, or returns why it is rejected. The sender receives the confirmation afterwards. */
  onMail(mail: ReceivedMail): Promise<MailRefusal | undefined>
  /** Receives internal errors; senders are asked to retry later. */
  onError(error: unknown): void
  /** Receives rejections with their reasons, for logging. */
  onRefusal?(refusal: MailRefusal, remoteAddress: string): void
  /** The clock, in milliseconds since 1970. @default the system clock */
  readonly now?: () => number
}

/** A listening mail server. */
export interface MailServer {
  readonly port: number
  /** Stops the server; emails in transfer are not accepted. */
  stop(): Promise<void>
}

const idleMs = 60_000
const closeMs = 2000
const failed: MailRefusal = { code: 451, message: '4.3.0 The mail could not be stored. Try again later.' }

/**
 * Starts a mail server. It only accepts mail for recipients that the caller confirms, and never relays. It parses each
 * email, checks its sender with SPF, DKIM and DMARC, and accepts it after the caller has stored it.
 *
 * @param options - Address, limits and handlers.
 *
 * @example
 * const server = await startMailServer({
 *   ...{ port: 25, host: '0.0.0.0', hostName: 'mx.example.com', maxMessageBytes: 10_000_000, findRecords },
 *   onRecipient: async (address) => (isKnown(address) ? undefined : { code: 550, message: '5.1.1 No such address.' }),
 *   onMail: async (mail) => store(mail),
 *   onError: console.error,
 * })
 */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const { port, host, hostName, certificate, maxMessageBytes, maxConnections = 100, now = Date.now } = options
  const { maxRecipients = 50, mailsPerMinute = 60, maxSessionMs = 600_000, maxReadingMs = 60_000 } = options
  const rate = createRate(mailsPerMinute, now)
  const reader = createMailReader({ findRecords: options.findRecords, maxReadingMs })
  const answer = createAnswers(options)
  const server = new SMTPServer({
    ...{ name: hostName, banner: 'ready', size: maxMessageBytes, maxClients: maxConnections, logger: false },
    ...{ disableReverseLookup: true, authOptional: true, socketTimeout: idleMs, closeTimeout: closeMs },
    disabledCommands: certificate === undefined ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    ...(certificate === undefined ? {} : { key: certificate.key, cert: certificate.cert }),
    ...countConnections(options),
    onMailFrom(_address, session, done) {
      if (rate.take(session.remoteAddress)) return done()
      answer(session, done)({ code: 451, message: '4.7.1 Too many mails from your address. Try again in a minute.' })
    },
    onRcptTo({ address }, session, done) {
      const tell = answer(session, done)
      if (session.envelope.rcptTo.length >= maxRecipients)
        return tell({
          code: 452,
          message: `4.5.3 A mail may have at most ${maxRecipients} recipients. Send it again for the others.`,
        })
      options.onRecipient(address).then(tell, tell)
    },
    onData(stream, session, done) {
      receive({ ...options, reader, session }, stream).then(answer(session, done), answer(session, done))
    },
  })
  // The library's timeout restarts with every byte.
  server.server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), maxSessionMs)
    socket.once('close', () => clearTimeout(timer))
  })
  server.on('error', (error: Error & { readonly remote?: string }) => {
    // Connection errors caused by a sender are not server errors.
    if (error.remote === undefined) options.onError(error)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    async stop() {
      await new Promise<void>((resolve) => server.close(resolve))
      await reader.stop()
    },
  }
}

/** Limits the number of connections per address. Rejected connections are not counted when they open or close. */
function countConnections({ maxConnectionsPerAddress = 10 }: MailServerOptions) {
  const open = new Map<string, Set<string>>()
  return {
    onConnect({ id, remoteAddress }: SMTPServerSession, done: Done) {
      const ids = open.get(remoteAddress) ?? new Set()
      if (ids.size >= maxConnectionsPerAddress)
        return done(toError({ code: 421, message: '4.7.0 Too many connections from your address.' }))
      open.set(remoteAddress, ids.add(id))
      done()
    },
    onClose({ id, remoteAddress }: SMTPServerSession) {
      const ids = open.get(remoteAddress)
      ids?.delete(id)
      if (ids?.size === 0) open.delete(remoteAddress)
    },
  }
}

type Done = (error?: Error | null) => void

const toError = (refusal: MailRefusal): RefusedMailError => new RefusedMailError(refusal)

/** Returns the callback that reports acceptance or rejection to a sender. */
function createAnswers({ onError, onRefusal }: MailServerOptions) {
  return ({ remoteAddress }: SMTPServerSession, done: Done) =>
    (outcome: unknown): void => {
      if (outcome === undefined) {
        done()
        return
      }
      const isRefusal = outcome instanceof RefusedMailError || isMailRefusal(outcome)
      if (!isRefusal) onError(outcome)
      const refusal =
        outcome instanceof RefusedMailError
          ? { code: outcome.responseCode, message: outcome.message }
          : isMailRefusal(outcome)
            ? outcome
            : failed
      onRefusal?.(refusal, remoteAddress)
      done(toError(refusal))
    }
}

const isMailRefusal = (value: unknown): value is MailRefusal =>
  typeof value === 'object' && value !== null && !(value instanceof Error) && 'code' in value && 'message' in value

interface Receiving extends MailServerOptions {
  readonly reader: MailReader
  readonly session: SMTPServerSession
}

async function receive(
  { hostName, maxMessageBytes, onMail, reader, session }: Receiving,
  stream: SMTPServerDataStream,
): Promise<MailRefusal | undefined> {
  const raw = await readAll(stream, maxMessageBytes)
  const { remoteAddress, secure: isSecure, envelope } = session
  const sent = {
    ...{ remoteAddress, helo: session.hostNameAppearsAs || '' },
    envelopeFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
  }
  const mail = await reader.read({ raw, hostName, ...sent })
  return onMail({ ...mail, ...sent, isSecure, sizeBytes: raw.length })
}

/** Reads an email to its end, as the protocol requires, but keeps at most the maximum size. */
async function readAll(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer> {
  const buffer = createBodyBuffer(maxBytes)
  let limit: BodyLimit | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) limit = buffer.add(chunk)
  if (limit === 'chunks') throw toError({ code: 552, message: '5.3.4 The mail has too many small chunks.' })
  if (limit === 'bytes' || stream.sizeExceeded)
    throw toError({ code: 552, message: `5.3.4 The mail is larger than the maximum of ${maxBytes} bytes.` })
  const { buffer: memory, byteOffset, byteLength } = buffer.toBytes()
  return Buffer.from(memory, byteOffset, byteLength)
}
