import type { JsonObject } from '@trestle/protocol'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { SendError } from '../base/send-error.ts'
import { readMail } from './mail-schema.ts'
import { isConnectionFailure, toSendError } from './smtp-failure.ts'
import { type MailOptions, readSmtpTarget, type SmtpTarget } from './smtp-target.ts'

/** The response of an SMTP server. */
export interface MailReceipt {
  readonly providerMessageId: string
  /** The server's last line. */
  readonly response: string
  /** Addresses that the server rejected. */
  readonly rejected: readonly string[]
}

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
  // Loaded with the first email: most development services never send one.
  const { createTransport } = await import('nodemailer')
  return reach(credentials, options, async (server, { signal, announce }) => {
    const transport = createTransport({ ...server, disableFileAccess: true, disableUrlAccess: true })
    // Nodemailer opens the stream of the message right before it sends the command MAIL FROM.
    transport.use('stream', ({ message }, done) => {
      message?.processFunc((stream) => {
        announce()
        return stream
      })
      done()
    })
    try {
      const sent = await transport.sendMail({ ...fields, signal })
      return { providerMessageId: sent.messageId, response: sent.response, rejected: sent.rejected.map(String) }
    } finally {
      transport.close()
    }
  })
}

/**
 * Signs in to an SMTP server and disconnects, to test credentials.
 *
 * @param credentials - The integration's credentials, as for {@link sendMail}.
 * @throws {SendError} The address is blocked, or the server is unreachable, too slow, or rejects the credentials.
 */
export async function checkSmtp(credentials: JsonObject, options: MailOptions): Promise<void> {
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
  await reach(credentials, options, async (server, { signal }) => {
    const connection = new SmtpConnection(server)
    try {
      await signIn(connection, { auth: server.auth, signal })
      connection.quit()
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

type SmtpServer = SmtpTarget['connection'] & { readonly host: string }

interface SigningIn {
  readonly auth: SmtpServer['auth']
  readonly signal: AbortSignal
}

function signIn(connection: SMTPConnection, { auth, signal }: SigningIn): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error | null) => (error ? reject(error) : resolve())
    // Also covers a response to QUIT that never ends.
    const stop = () => {
      reject(tooSlow())
      connection.close()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    connection.on('error', reject)
    connection.on('end', () => reject(new SendError('ECONNECTION', 'The server closed the connection.')))
    connection.connect((error) => (error || !auth || !connection.allowsAuth ? end(error) : connection.login(auth, end)))
  })
}

interface Reaching {
  /** Aborts the attempt. */
  readonly signal: AbortSignal
  /** Called when the server is about to receive the email, which it may accept from then on. */
  announce(): void
}

/**
 * The maximum time until the email is announced. It is shorter than the time for a message, because a message whose
 * time is over may have been sent, and is not sent again.
 */
const reachMs = 20_000

/** Tries the addresses of a server in order, until a connection succeeds. */
async function reach<T>(
  credentials: JsonObject,
  options: MailOptions,
  attempt: (server: SmtpServer, reaching: Reaching) => Promise<T>,
): Promise<T> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), reachMs)
  const signal = AbortSignal.any([options.signal, slow.signal])
  let isAnnounced = false
  const announce = () => {
    isAnnounced = true
    clearTimeout(timer)
  }
  let failure: unknown
  try {
    const { addresses, connection } = await readSmtpTarget(credentials, { ...options, signal })
    for (const host of addresses)
      try {
        return await attempt({ ...connection, host }, { signal, announce })
      } catch (error) {
        failure = error
        if (isAnnounced || signal.aborted || !isConnectionFailure(error)) break
      }
  } catch (error) {
    failure = error
  } finally {
    clearTimeout(timer)
  }
  throw signal.aborted && !isAnnounced ? tooSlow() : toSendError(failure, isAnnounced)
}

const tooSlow = (): SendError =>
  new SendError('send_timeout', 'The server did not answer in time.', { blame: 'integration', waitMs: 0 })
