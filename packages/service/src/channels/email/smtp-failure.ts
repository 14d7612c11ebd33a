import { OutboundError } from '@trestle/bridge-client'
import { type Blame, SendError } from '../base/send-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** The codes of connections that failed. Nodemailer uses them at any time, so they do not show what was sent. */
const connectionCodes: readonly unknown[] = [
  ...['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'ETLS', 'EPROTOCOL', 'EDNS', 'send_timeout'],
]

/**
 * Returns whether a connection failed, so that another address of the server may work. A server that rejects the
 * password is reachable.
 */
export function isConnectionFailure(error: unknown): boolean {
  return connectionCodes.includes(toFields(error)['code'])
}

/**
 * Returns the failure of an attempt.
 *
 * @param isAnnounced - Whether the server knows the email's sender. Before, it cannot have accepted the email.
 */
export function toSendError(error: unknown, isAnnounced: boolean): SendError {
  if (error instanceof SendError) return error
  // The address could not be looked up, or is not allowed.
  if (error instanceof OutboundError)
    return new SendError(error.code, error.message, {
      blame: 'integration',
      waitMs: error.isRefused ? undefined : 0,
    })
  const fields = toFields(error)
  const status = Number(fields['responseCode'])
  const isUnsent = !isAnnounced && isConnectionFailure(error)
  // A server that returns 4xx asks for a retry. One that rejects the client with 5xx would do so again.
  const isTemporary = status >= 400 ? status < 500 : isUnsent
  return new SendError(typeof fields['code'] === 'string' ? fields['code'] : 'smtp_failed', toMessage(error, fields), {
    blame: isUnsent ? 'integration' : toBlame(status, fields),
    waitMs: isTemporary ? 0 : undefined,
  })
}

function toFields(error: unknown): Fields {
  return { ...Object(error) }
}

/**
 * Returns an error message. It hides the output of servers that do not speak SMTP, so that the person who configures
 * the address cannot read it.
 */
function toMessage(error: unknown, { code, responseCode }: Fields): string {
  const isReply = Number(responseCode) >= 200 && Number(responseCode) < 600
  if (code === 'EPROTOCOL' && !isReply) return 'The server at this address does not speak SMTP.'
  return error instanceof Error ? error.message : 'The email could not be sent.'
}

/**
 * Returns the cause of a failure: a server rejects the account or the sender before it receives the recipient; without
 * a response, the cause is unknown.
 */
function toBlame(status: number, { code, command }: Fields): Blame {
  if (code === 'EAUTH') return 'integration'
  if (!(status >= 400)) return 'unknown'
  return command === 'MAIL FROM' ? 'integration' : 'message'
}
