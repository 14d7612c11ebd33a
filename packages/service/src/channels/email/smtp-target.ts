import { isIP } from 'node:net'
import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import { compact, readText, toObject } from '../../json/json.ts'
import { SendError } from '../base/send-error.ts'
import { toSendError } from './smtp-failure.ts'

/** Dependencies for sending emails. */
export interface MailOptions {
  /** Checks the address of the server before connecting. */
  readonly outbound: Pick<Outbound, 'resolveHost'>
  readonly signal: AbortSignal
}

/** A server, and how to connect to it. */
export interface SmtpTarget {
  /** The checked addresses, in the order in which they are tried. */
  readonly addresses: readonly string[]
  readonly connection: SmtpConnectionOptions
}

/** The options of a connection, in Nodemailer's format. */
export interface SmtpConnectionOptions {
  readonly port: number
  readonly secure: boolean
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  /** The name in EHLO. @default the host name of this machine */
  readonly name?: string
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  readonly tls: { readonly rejectUnauthorized?: boolean; readonly ca?: string; readonly servername: string }
  readonly connectionTimeout: number
  readonly greetingTimeout: number
  readonly socketTimeout: number
}

/** As many as for HTTP requests. */
const maxAddresses = 16

/** The maximum time for the connection to one address, including the greeting and the start of TLS. */
const stepTimeoutMs = 5000
/** The maximum time for the connections to all addresses: a message must have time left. */
const connectMs = 15_000
const idleTimeoutMs = 10_000

/**
 * Reads the server of an integration, and resolves its addresses.
 *
 * @param credentials - The integration's credentials.
 * @throws {SendError} The host is missing, unknown or blocked.
 */
export async function readSmtpTarget(credentials: JsonObject, options: MailOptions): Promise<SmtpTarget> {
  const host = readText(credentials['host'])
  if (host === undefined)
    throw new SendError('credentials_missing', 'The integration has no "host" in its credentials.', {
      blame: 'integration',
    })
  const isSecure = isTrue(credentials['secure'])
  const port = Number(credentials['port'] ?? (isSecure ? 465 : 587))
  const addresses = (await resolve({ host, port }, options)).slice(0, maxAddresses)
  const timeoutMs = Math.min(stepTimeoutMs, Math.floor(connectMs / addresses.length))
  return { addresses, connection: toConnection(credentials, { host, port, isSecure, timeoutMs }) }
}

interface ConnectionInput {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly timeoutMs: number
}

function toConnection(
  credentials: JsonObject,
  { host, port, isSecure, timeoutMs }: ConnectionInput,
): SmtpConnectionOptions {
  const user = readText(credentials['user'])
  return {
    port,
    secure: isSecure,
    requireTLS: isTrue(credentials['requireTls']),
    ignoreTLS: isTrue(credentials['ignoreTls']),
    ...compact({ name: readText(credentials['domain']) }),
    auth: user === undefined ? undefined : { user, pass: readText(credentials['password']) ?? '' },
    // Connects to a checked address; the certificate is checked against the host name.
    tls: { ...pickTls(credentials['tlsOptions']), servername: isIP(host) === 0 ? host : '' },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
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
    throw toSendError(error, false)
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
