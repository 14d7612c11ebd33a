import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { Clock } from '../clock/clock.ts'
import type { InboundMailOptions } from './inbound-mail-settings.ts'

/** The plans of the rate limit; `off` limits nothing. @source service-api.md#rate-limits */
export type Plan = 'off' | 'free' | 'pro' | 'team' | 'enterprise'

/** How much is logged. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Answers the calls of one path beside the API, of any method. What it throws is answered in the form of the API. */
export type Mount = (call: HttpCall) => Promise<HttpReply>

/** How the service is started. What is left out is taken from the environment, then from the defaults. */
export interface ServiceOptions {
  /** The port; 0 for any that is free. Environment: `PORT`. @default 3737 */
  readonly port?: number
  /** The address it listens at. Environment: `HOST`. @default '127.0.0.1' */
  readonly host?: string
  /**
   * The port of the sockets by which public clients of the inbox receive events; 0 for any that is free. Environment:
   * `SERVICE_SOCKET_PORT`. @default no sockets: events are served at `GET /v1/inbox/events`
   */
  readonly socketPort?: number
  /**
   * The address under which bridges reach this API, where it is not the one it listens at: agents send their replies
   * there. It must be the bridge's `SERVICE_API_URL`. Environment: `SERVICE_PUBLIC_URL`.
   * @default the address it listens at
   */
  readonly publicUrl?: string
  /**
   * Host names, with a port where it is not the service's own, by which the service may be called. While it listens at
   * a loopback address, requests for other hosts and from web pages of other origins are refused. The studio and mounts
   * answer loopback names only, whatever is named here.
   * Environment: `SERVICE_ALLOWED_HOSTS`, separated by commas. @default loopback names only
   */
  readonly allowedHosts?: readonly string[]
  /** Address of a PostgreSQL database. Environment: `DATABASE_URL`. @default the embedded database */
  readonly databaseUrl?: string
  /** Folder of the embedded database and of the encryption key. Environment: `SERVICE_DATA_FOLDER`. @default '.trestle' */
  readonly dataFolder?: string
  /** File of the embedded database, or `:memory:`. @default 'service.db' in the data folder */
  readonly databaseFile?: string
  /** The most connections to PostgreSQL. @default 10 */
  readonly maxConnections?: number
  /**
   * Encrypts what is kept at rest: 32 bytes as base64 or hexadecimal text. Environment: `SERVICE_ENCRYPTION_KEY`.
   * @default a file in the data folder, made at first start
   */
  readonly encryptionKey?: string
  /**
   * Keys that were in use before, in the same form: what they encrypted is read, and encrypted anew in the background.
   * Environment: `SERVICE_PREVIOUS_ENCRYPTION_KEYS`, separated by commas. @default none
   */
  readonly previousEncryptionKeys?: readonly string[]
  /** Secret keys that environments shall have, by name of the environment. @default random ones, made at first start */
  readonly secretKeys?: Readonly<Record<string, string>>
  /** The plan of the rate limit. Environment: `SERVICE_RATE_LIMIT_PLAN`. @default 'off' */
  readonly plan?: Plan
  /** Whether idempotency keys are honored. @default true */
  readonly idempotency?: boolean
  /** The most bytes of a request's body. @default 20 MiB */
  readonly maxBodyBytes?: number
  /** Finished runs older than this are removed, with all that belongs to them; 0 keeps them. @default 30 days */
  readonly retentionMs?: number
  /** How long a stop waits for running steps. @default 10 seconds */
  readonly stopGraceMs?: number
  /** Whether this process runs workflows, or serves the API only. @default true */
  readonly work?: boolean
  /** How many bridges are called at a time. @default 256 */
  readonly calls?: number
  /** How many bridges are called at a time for one workflow. @default 32 */
  readonly callsPerWorkflow?: number
  /** How many bridges are called at a time for one environment. @default `calls` */
  readonly callsPerEnvironment?: number
  /**
   * For how long a bridge sees nothing happen in a run before it answers that nothing comes next, milliseconds. I/O between steps
   * that takes longer is found later, or lost once the workflow function has returned.
   * @default 1000
   */
  readonly quietMs?: number
  /** How many steps a run may have whose bridge says what comes next. @default 1000 */
  readonly maxSteps?: number
  /** How bridges and webhooks are called: the outbound policy and its limits. Loopback addresses are allowed unless it says otherwise. */
  readonly bridge?: BridgeSettings
  /** Receives mail for inbound domains. @default off */
  readonly inboundMail?: InboundMailOptions
  /**
   * Whether the studio is served at `/studio/`, or the folder of another build of it. It is opened by the link that
   * `studioLink()` of the service returns, or by a secret key. It needs a loopback `host`, and does not answer calls
   * that name another host or came through a proxy. @default false
   */
  readonly studio?: boolean | URL
  /**
   * Names of the environments that the links of the studio open, and whose keys may call mounts.
   * @default the first one, Development
   */
  readonly studioEnvironments?: readonly string[]
  /**
   * What is served beside the API, by its path, such as `/mcp`. Callers need the secret key of one of the
   * `studioEnvironments`. It needs a loopback `host`, as the studio does. @default nothing
   */
  readonly mounts?: Readonly<Record<string, Mount>>
  /** How much is logged. Environment: `LOG_LEVEL`. @default 'info' */
  readonly logLevel?: LogLevel
  /** Receives the lines of the log. @default the standard output */
  readonly log?: { write(line: string): void }
  /** Where time is read. @default the clock of the machine */
  readonly clock?: Clock
}
