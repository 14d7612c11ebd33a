import { Resolver } from 'node:dns'
import { z } from 'zod'

/** Options of mail for inbound domains. */
export interface InboundMailOptions {
  /** The host name of the mail server, which MX records point to. Environment: `SERVICE_INBOUND_MAIL_HOST`. */
  readonly hostName: string
  /**
   * The port of the mail server, 25 for external mail; 0 for any free port. Requires the package
   * `@trestle/inbound-mail`. Environment: `SERVICE_INBOUND_MAIL_PORT`. @default no mail server in this process
   */
  readonly port?: number
  /** The address to listen on. Environment: `SERVICE_INBOUND_MAIL_ADDRESS`. @default the option `host` */
  readonly address?: string
  /** The maximum size of a mail, in bytes. @default 10 MiB */
  readonly maxMessageBytes?: number
  /** The file of the private key for STARTTLS, PEM. Environment: `SERVICE_INBOUND_MAIL_KEY_FILE`. @default no TLS */
  readonly keyFile?: string
  /** The file of its certificate, PEM. Environment: `SERVICE_INBOUND_MAIL_CERT_FILE`. @default no TLS */
  readonly certFile?: string
  /**
   * Name servers for the records of domains and senders, `address` or `address:port`. Environment:
   * `SERVICE_INBOUND_MAIL_NAME_SERVERS`, separated by commas. @default those of the system
   */
  readonly nameServers?: readonly string[]
}

/** The options with all defaults filled in. */
export interface InboundMailSettings {
  /** The host name of the mail server. */
  readonly hostName: string
  /** Its port; without one there is no mail server. */
  readonly port: number | undefined
  /** The address to listen on. */
  readonly address: string | undefined
  /** The maximum size of a mail, in bytes. */
  readonly maxMessageBytes: number
  /** The file of the private key. */
  readonly keyFile: string | undefined
  /** The file of its certificate. */
  readonly certFile: string | undefined
  /** Name servers; undefined for those of the system. */
  readonly nameServers: readonly string[] | undefined
}

const mebibyte = 1024 * 1024
const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
const hostPattern = new RegExp(`^(?:${label}\\.)+${label}$`, 'i')

function areNameServers(servers: readonly string[]): boolean {
  try {
    // Node decides which values are valid.
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}

/** The schema of the settings. */
export const inboundMailField: z.ZodType<InboundMailSettings | undefined> = z
  .strictObject({
    hostName: z.string().max(253).regex(hostPattern, 'must be the full name of a mail server, such as mx.example.com'),
    port: z.number().int().min(0).max(65_535).optional(),
    address: z.string().min(1).optional(),
    maxMessageBytes: z
      .number()
      .int()
      .min(1024)
      .max(50 * mebibyte)
      .optional(),
    keyFile: z.string().min(1).optional(),
    certFile: z.string().min(1).optional(),
    nameServers: z
      .array(z.string())
      .min(1, 'must name a server')
      .refine(areNameServers, 'must be addresses of name servers, such as 10.0.0.53')
      .optional(),
  })
  .refine(
    ({ keyFile, certFile }) => (keyFile === undefined) === (certFile === undefined),
    'needs keyFile and certFile together, or neither',
  )
  .transform(({ hostName, port, address, maxMessageBytes = 10 * mebibyte, keyFile, certFile, nameServers }) => ({
    ...{ hostName: hostName.toLowerCase(), port, address, maxMessageBytes, keyFile, certFile, nameServers },
  }))
  .optional()

/**
 * Returns the options of inbound mail in the environment variables; undefined if it is off.
 *
 * @param env - The environment variables.
 */
export function readInboundMail(env: Readonly<Record<string, string | undefined>>): InboundMailOptions | undefined {
  const read = (name: string): string | undefined => env[`SERVICE_INBOUND_MAIL_${name}`] || undefined
  const hostName = read('HOST')
  if (hostName === undefined) return undefined
  const values = {
    port: read('PORT') === undefined ? undefined : Number(read('PORT')),
    ...{ address: read('ADDRESS'), keyFile: read('KEY_FILE'), certFile: read('CERT_FILE') },
    nameServers: read('NAME_SERVERS')
      ?.split(',')
      .map((server) => server.trim()),
  }
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return { hostName, ...(Object.fromEntries(given) as Omit<InboundMailOptions, 'hostName'>) }
}
