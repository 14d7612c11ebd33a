import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { Clock } from '../clock/clock.ts'
import type { InboundMailOptions } from './inbound-mail-settings.ts'

/** The plans of the rate limit; `off` disables it. @source service-api.md#rate-limits */
export type Plan = 'off' | 'free' | 'pro' | 'team' | 'enterprise'

/** Log levels. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Answers calls of any method to a path besides the API. Thrown errors are answered in the format of the API. */
export type Mount = (call: HttpCall) => Promise<HttpReply>

/** Options of the service. Omitted options are read from environment variables, then from the defaults. */
export interface ServiceOptions {
  /** The port; 0 for any free port. Environment: `PORT`. @default 3737 */
  readonly port?: number
  /** The address to listen on. Environment: `HOST`. @default '127.0.0.1' */
  readonly host?: string
  /**
   * The port of the sockets that send inbox events to public clients; 0 for any free port. Environment:
   * `SERVICE_SOCKET_PORT`. @default no sockets: events are served at `GET /v1/inbox/events`
   */
  readonly socketPort?: number
  /**
   * The URL of this API for bridges, if it differs from the listening address: agents send their replies there. It must
   * equal the bridge's `SERVICE_API_URL`. Environment: `SERVICE_PUBLIC_URL`.
   *
   * @default the listening address
   */
  readonly publicUrl?: string
  /**
   * Additional host names for calls, with a port if it differs from the service's own. While the service listens on
   * loopback, requests for other hosts and from web pages of other origins are rejected. The studio and mounts only
   * answer loopback names, whatever is listed here. Environment: `SERVICE_ALLOWED_HOSTS`, separated by commas. @default
   * loopback names only
   */
  readonly allowedHosts?: readonly string[]
  /** URL of a PostgreSQL database. Environment: `DATABASE_URL`. @default the embedded database */
  readonly databaseUrl?: string
  /** Folder of the embedded database and of the encryption key. Environment: `SERVICE_DATA_FOLDER`. @default '.trestle' */
  readonly dataFolder?: string
  /** File of the embedded database, or `:memory:`. @default 'service.db' in the data folder */
  readonly databaseFile?: string
  /** The maximum number of connections to PostgreSQL. @default 10 */
  readonly maxConnections?: number
  /**
   * Encrypts data at rest: 32 bytes in base64 or hexadecimal. Environment: `SERVICE_ENCRYPTION_KEY`. @default a file in
   * the data folder, created at first start
   */
  readonly encryptionKey?: string
  /**
   * Earlier keys, in the same format: their data is decrypted, and re-encrypted in the background. Environment:
   * `SERVICE_PREVIOUS_ENCRYPTION_KEYS`, separated by commas. @default none
   */
  readonly previousEncryptionKeys?: readonly string[]
  /** Secret keys by name of the environment. @default random keys, created at first start */
  readonly secretKeys?: Readonly<Record<string, string>>
  /** The plan of the rate limit. Environment: `SERVICE_RATE_LIMIT_PLAN`. @default 'off' */
  readonly plan?: Plan
  /** Whether idempotency keys are supported. @default true */
  readonly idempotency?: boolean
  /** The maximum size of a request body, in bytes. @default 20 MiB */
  readonly maxBodyBytes?: number
  /** The age at which finished runs are removed with all their data; 0 keeps them. @default 30 days */
  readonly retentionMs?: number
  /** How long a stop waits for running steps. @default 10 seconds */
  readonly stopGraceMs?: number
  /** Whether this process runs workflows, as opposed to serving only the API. @default true */
  readonly work?: boolean
  /** The maximum number of concurrent bridge calls. @default 256 */
  readonly calls?: number
  /** The maximum number of concurrent bridge calls per workflow. @default 32 */
  readonly callsPerWorkflow?: number
  /** How many bridges are called at a time for one environment. @default `calls` */
  readonly callsPerEnvironment?: number
  /**
   * How long a bridge waits for activity in a run before it answers that no step follows, in milliseconds. Slower I/O
   * between steps is found later, or lost after the workflow function has returned.
   *
   * @default 1000
   */
  readonly quietMs?: number
  /** The maximum number of steps of a run whose bridge decides the next steps. @default 1000 */
  readonly maxSteps?: number
  /**
   * Options of calls to bridges and webhooks: the network policy and its limits. Loopback addresses are allowed by
   * default.
   */
  readonly bridge?: BridgeSettings
  /** Receives mail for inbound domains. @default off */
  readonly inboundMail?: InboundMailOptions
  /**
   * Whether to serve the studio at `/studio/`, or the folder of another build of it. Open it with the link that
   * `studioLink()` of the service returns, or with a secret key. Requires a loopback `host`; calls with another host
   * name or through a proxy are rejected. @default false
   */
  readonly studio?: boolean | URL
  /**
   * Names of the environments that studio links open, and whose keys may call mounts.
   *
   * @default the first one, Development
   */
  readonly studioEnvironments?: readonly string[]
  /**
   * Additional handlers by path, such as `/mcp`. Callers need the secret key of one of the `studioEnvironments`.
   * Requires a loopback `host`, like the studio. @default none
   */
  readonly mounts?: Readonly<Record<string, Mount>>
  /** The log level. Environment: `LOG_LEVEL`. @default 'info' */
  readonly logLevel?: LogLevel
  /** Receives log lines. @default the standard output */
  readonly log?: { write(line: string): void }
  /** The clock. @default the system clock */
  readonly clock?: Clock
}
