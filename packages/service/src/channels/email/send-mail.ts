import { isIP } from 'node:net'
import { type Outbound, OutboundError } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { compact, readText, toObject } from '../../json/json.ts'
import { isBeforeSending } from '../base/retry.ts'
import { type Blame, SendError } from '../base/send-error.ts'
import { readMail } from './mail-schema.ts'

/** Dependencies for sending emails. */
export interface MailOptions {
  /** Checks the address of the server before connecting. */
  readonly outbound: Pick<Outbound, 'resolveHost'>
  readonly signal: AbortSignal
}

/** The response of an SMTP server. */
export interface MailReceipt {
  readonly providerMessageId: string
  /** The server's last line. */
  readonly response: string
  /** Addresses that the server rejected. */
  readonly rejected: readonly string[]
}

const stepTimeoutMs = 5000
const idleTimeoutMs = 10_000

/**
 * Sends an email through an SMTP server. Never reads a file or URL in its fields.
 *
 * @param mail - The email, in Nodemailer's format.
 * @param credentials - The integration's credentials: `host`, `port`, `secure`, `user`, `password`, `requireTls`,
 * `ignoreTls`, `tlsOptions`, `domain`.
 * @throws {SendError} A field is invalid, the address is blocked, or the server is unreachable or rejects the email.
 */
export async function sendMail(mail: JsonObject, credentials: JsonObject, options: MailOptions): Promise<MailReceipt> {
  const fields = readMail(mail)
  const transport = await openTransport(credentials, options)
  try {
    const sent = await transport.sendMail({ ...fields, signal: options.signal })
    return { providerMessageId: sent.messageId, response: sent.response, rejected: sent.rejected.map(String) }
  } catch (error) {
    throw toSendError(error)
  } finally {
    transport.close()
  }
}

/**
 * Signs in to an SMTP server and disconnects, to test credentials.
 *
 * @param credentials - The integration's credentials, as for {@link sendMail}.
 * @throws {SendError} The address is blocked, or the server is unreachable, too slow, or rejects the credentials.
 */
export async function checkSmtp(credentials: JsonObject, options: MailOptions): Promise<void> {
  const server = await readServer(credentials, options)
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SmtpConnection(server)
  try {
    await signIn(connection, { auth: server.auth, signal: options.signal })
    connection.quit()
  } catch (error) {
    connection.close()
    throw toSendError(error)
  }
}

interface SigningIn {
  readonly auth: SmtpServer['auth']
  readonly signal: AbortSignal
}

function signIn(connection: SMTPConnection, { auth, signal }: SigningIn): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error | null) => (error ? reject(error) : resolve())
    // Also covers a response to QUIT that never ends.
    const stop = () => {
      reject(new SendError('send_timeout', 'The server did not answer in time.'))
      connection.close()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    connection.on('error', reject)
    connection.on('end', () => reject(new SendError('ECONNECTION', 'The server closed the connection.')))
    connection.connect((error) => (error || !auth || !connection.allowsAuth ? end(error) : connection.login(auth, end)))
  })
}

async function openTransport(credentials: JsonObject, options: MailOptions) {
  const server = await readServer(credentials, options)
  // Loaded with the first email: most development services never send one.
  const { createTransport } = await import('nodemailer')
  return createTransport({ ...server, disableFileAccess: true, disableUrlAccess: true })
}

type SmtpServer = Awaited<ReturnType<typeof readServer>>

async function readServer(credentials: JsonObject, options: MailOptions) {
  const host = readText(credentials['host'])
  if (host === undefined)
    throw new SendError('credentials_missing', 'The integration has no "host" in its credentials.', {
      blame: 'integration',
    })
  const isSecure = isTrue(credentials['secure'])
  const port = Number(credentials['port'] ?? (isSecure ? 465 : 587))
  const [address = ''] = await resolve({ host, port }, options)
  const user = readText(credentials['user'])
  return {
    host: address,
    port,
    secure: isSecure,
    requireTLS: isTrue(credentials['requireTls']),
    ignoreTLS: isTrue(credentials['ignoreTls']),
    ...compact({ name: readText(credentials['domain']) }),
    auth: user === undefined ? undefined : { user, pass: readText(credentials['password']) ?? '' },
    // Connects to the checked address; the certificate is checked against the host name.
    tls: { ...pickTls(credentials['tlsOptions']), servername: isIP(host) === 0 ? host : '' },
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: idleTimeoutMs,
  }
}

async function resolve(
  { host, port }: { readonly host: string; readonly port: number },
  { outbound, signal }: MailOptions,
): Promise<readonly string[]> {
  try {
    return await outbound.resolveHost(host, signal, port)
  } catch (error) {
    throw toSendError(error)
  }
}

function pickTls(value: unknown): { rejectUnauthorized?: boolean; ca?: string } {
  const { rejectUnauthorized, ca } = toObject(value)
  return {
    ...(rejectUnauthorized === false ? { rejectUnauthorized: false } : {}),
    ...(typeof ca === 'string' ? { ca } : {}),
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/**
 * Returns an error message. It hides the output of servers that do not speak SMTP, so that the person who configures
 * the address cannot read it.
 */
function toMessage(error: unknown, { code, responseCode }: Readonly<Record<string, unknown>>): string {
  const isReply = Number(responseCode) >= 200 && Number(responseCode) < 600
  if (code === 'EPROTOCOL' && !isReply) return 'The server at this address does not speak SMTP.'
  return error instanceof Error ? error.message : 'The email could not be sent.'
}

function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error
  if (error instanceof OutboundError)
    return new SendError(error.code, error.message, {
      blame: 'integration',
      waitMs: isBeforeSending(error.code) ? 0 : undefined,
    })
  const { code, responseCode, syscall, command }: Readonly<Record<string, unknown>> = { ...Object(error) }
  const message = toMessage(error, { code, responseCode })
  const isUnsent = syscall === 'connect' || isBeforeSending(code)
  // A server that returns 4xx has not accepted the email and asks for a retry; if the connection failed, nothing was
  // sent.
  const isPutOff = Number(responseCode) >= 400 && Number(responseCode) < 500
  const waitMs = isPutOff || isUnsent ? 0 : undefined
  const blame = isUnsent ? 'integration' : toBlame(Number(responseCode), { code, command })
  return new SendError(typeof code === 'string' ? code : 'smtp_failed', message, { blame, waitMs })
}

/**
 * Returns the cause of a failure: a server rejects the account or the sender before it receives the recipient; without
 * a response, the cause is unknown.
 */
function toBlame(answer: number, { code, command }: Readonly<Record<string, unknown>>): Blame {
  if (code === 'EAUTH') return 'integration'
  if (!(answer >= 400)) return 'unknown'
  return command === 'MAIL FROM' ? 'integration' : 'message'
}
