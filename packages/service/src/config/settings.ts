import { join } from 'node:path'
import { parseUrl } from '@trestle/protocol'
import { z } from 'zod'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { type InboundMailSettings, inboundMailField, readInboundMail } from './inbound-mail-settings.ts'
import { isLoopback } from './is-loopback.ts'
import type { LogLevel, Mount, Plan, ServiceOptions } from './options.ts'

/** The options with all defaults filled in. */
export interface Settings {
  /** The port; 0 for any free port. */
  readonly port: number
  /** The port of inbox sockets; undefined for none. */
  readonly socketPort: number | undefined
  /** The address to listen on. */
  readonly host: string
  /** The URL of the API for bridges, if it differs. */
  readonly publicUrl: string | undefined
  /** Additional host names for calls, besides those of the loopback. */
  readonly allowedHosts: readonly string[]
  /** URL of a PostgreSQL database. */
  readonly databaseUrl: string | undefined
  /** Folder of files besides the database. */
  readonly dataFolder: string
  /** File of the embedded database. */
  readonly databaseFile: string
  /** The maximum number of connections to PostgreSQL. */
  readonly maxConnections: number
  /** The encryption key, as text. */
  readonly encryptionKey: string | undefined
  /** Earlier encryption keys, as text. */
  readonly previousEncryptionKeys: readonly string[]
  /** Secret keys by name of the environment. */
  readonly secretKeys: Readonly<Record<string, string>>
  /** The plan of the rate limit. */
  readonly plan: Plan
  /** Whether idempotency keys are supported. */
  readonly idempotency: boolean
  /** The maximum size of a body, in bytes. */
  readonly maxBodyBytes: number
  /** The age at which finished runs are removed; 0 for never. */
  readonly retentionMs: number
  /** How long a stop waits. */
  readonly stopGraceMs: number
  /** Whether this process runs workflows. */
  readonly work: boolean
  /** The maximum number of concurrent bridge calls. */
  readonly calls: number
  /** The maximum number of concurrent bridge calls per workflow. */
  readonly callsPerWorkflow: number
  /** Bridges called at a time for one environment. */
  readonly callsPerEnvironment: number
  /** For how long a bridge sees nothing happen before it answers that nothing comes next, milliseconds. */
  readonly quietMs: number
  /** The maximum number of steps of a run whose bridge decides the next steps. */
  readonly maxSteps: number
  /** Options of bridge calls. */
  readonly bridge: BridgeSettings
  /** Options of mail for inbound domains; undefined if it is off. */
  readonly inboundMail: InboundMailSettings | undefined
  /** Whether to serve the studio, or the folder of another build of it. */
  readonly studio: boolean | URL
  /** Names of the environments for studio links and mounts; the first one if undefined. */
  readonly studioEnvironments: readonly string[] | undefined
  /** Additional handlers by path. */
  readonly mounts: Readonly<Record<string, Mount>>
  /** The log level. */
  readonly logLevel: LogLevel
  /** Receives log lines. */
  readonly log: { write(line: string): void } | undefined
  /** The clock. */
  readonly clock: Clock
}

/** Thrown for an invalid option or variable; names it and the allowed values. */
export class SettingsError extends TypeError {
  override readonly name = 'SettingsError'
}

const dayMs = 24 * 60 * 60 * 1000
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const variable = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

const hasMethods =
  (...names: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

const checked = z.object({
  port: whole.max(65_535),
  socketPort: whole.max(65_535).optional(),
  host: z.string().min(1),
  allowedHosts: z.array(z.string()),
  publicUrl: z
    .string()
    .refine(isApiAddress, 'must be an http or https URL without credentials, query and fragment')
    .optional(),
  databaseUrl: z.string().optional(),
  maxConnections: whole.min(2),
  encryptionKey: z.string().optional(),
  previousEncryptionKeys: z.array(z.string()),
  secretKeys: z.record(z.string(), z.string().min(16, 'a secret key must have at least 16 characters').max(512)),
  plan: z.enum(['off', 'free', 'pro', 'team', 'enterprise']),
  idempotency: z.boolean(),
  maxBodyBytes: whole.min(1024).max(512 * 1024 * 1024),
  retentionMs: whole,
  stopGraceMs: whole,
  work: z.boolean(),
  calls: whole.min(1),
  callsPerWorkflow: whole.min(1),
  callsPerEnvironment: whole.min(1),
  quietMs: whole.max(4000),
  maxSteps: whole.min(1),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  dataFolder: z.string().min(1),
  databaseFile: z.string(),
  bridge: z.custom<BridgeSettings>(hasMethods(), 'must be an object'),
  inboundMail: inboundMailField,
  studio: z.union([z.boolean(), z.instanceof(URL)], 'must be true, false or the URL of a folder'),
  studioEnvironments: z.array(z.string()).min(1, 'must name an environment').optional(),
  mounts: z.record(
    z.string(),
    z.custom<Mount>((value) => typeof value === 'function', 'must be a function'),
  ),
  log: z.custom<Settings['log']>(hasMethods('write'), 'must be an object with the method write').optional(),
  clock: z.custom<Clock>(hasMethods('now', 'sleep'), 'must be an object with the methods now and sleep'),
})

/**
 * Returns the options with environment variables and defaults filled in.
 *
 * @param env - The environment variables. @default those of the process
 * @throws {SettingsError} An option is invalid.
 */
export function readSettings(
  options: ServiceOptions = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(checked.shape, name))
  if (unknown !== undefined) throw new SettingsError(`${unknown}: this option does not exist`)
  const dataFolder = options.dataFolder ?? variable(env['SERVICE_DATA_FOLDER']) ?? '.trestle'
  const values = {
    port: options.port ?? toPort(variable(env['PORT'])) ?? 3737,
    socketPort: options.socketPort ?? toPort(variable(env['SERVICE_SOCKET_PORT'])),
    host: options.host ?? variable(env['HOST']) ?? '127.0.0.1',
    allowedHosts: options.allowedHosts ?? toList(env['SERVICE_ALLOWED_HOSTS']),
    publicUrl: options.publicUrl ?? variable(env['SERVICE_PUBLIC_URL']),
    databaseUrl: options.databaseUrl ?? variable(env['DATABASE_URL']),
    maxConnections: options.maxConnections ?? 10,
    encryptionKey: options.encryptionKey ?? variable(env['SERVICE_ENCRYPTION_KEY']),
    previousEncryptionKeys: options.previousEncryptionKeys ?? toList(env['SERVICE_PREVIOUS_ENCRYPTION_KEYS']),
    secretKeys: options.secretKeys ?? {},
    plan: options.plan ?? variable(env['SERVICE_RATE_LIMIT_PLAN']) ?? 'off',
    idempotency: options.idempotency ?? true,
    maxBodyBytes: options.maxBodyBytes ?? 20 * 1024 * 1024,
    retentionMs: options.retentionMs ?? 30 * dayMs,
    stopGraceMs: options.stopGraceMs ?? 10_000,
    work: options.work ?? true,
    calls: options.calls ?? 256,
    callsPerWorkflow: options.callsPerWorkflow ?? 32,
    callsPerEnvironment: options.callsPerEnvironment ?? options.calls ?? 256,
    quietMs: options.quietMs ?? 1000,
    maxSteps: options.maxSteps ?? 1000,
    logLevel: options.logLevel ?? variable(env['LOG_LEVEL']) ?? 'info',
    dataFolder,
    databaseFile: options.databaseFile ?? join(String(dataFolder), 'service.db'),
    bridge: options.bridge ?? {},
    inboundMail: options.inboundMail ?? readInboundMail(env),
    studio: options.studio ?? false,
    studioEnvironments: options.studioEnvironments,
    mounts: options.mounts ?? {},
    log: options.log,
    clock: options.clock ?? systemClock,
  }
  const { success, data, error } = checked.safeParse(values)
  if (!success) throw new SettingsError(describe(error))
  checkOpenPages(data.host, data)
  return {
    ...data,
    publicUrl: data.publicUrl,
    socketPort: data.socketPort,
    inboundMail: data.inboundMail,
    databaseUrl: data.databaseUrl,
    encryptionKey: data.encryptionKey,
    studioEnvironments: data.studioEnvironments,
    log: data.log,
  }
}

function isApiAddress(text: string): boolean {
  const url = parseUrl(text)
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].join('') === ''
  )
}

const toList = (text: string | undefined): readonly string[] =>
  variable(text)
    ?.split(',')
    .map((item) => item.trim()) ?? []

/** A word that is not a number is reported by the validation. */
const toPort = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** Paths of the service itself: a mount there would never be called, or hide an operation. */
const ownPath = /^\/(v\d+|studio|health|metrics|openapi\.json)(\/|$)/

/** The studio is for browsers on the same machine, because its cookie would cross the network unencrypted. */
function checkOpenPages(host: string, { studio, mounts }: Pick<Settings, 'studio' | 'mounts'>): void {
  const paths = Object.keys(mounts)
  for (const path of paths)
    if (!/^(\/[\w.-]+)+$/.test(path) || ownPath.test(path))
      throw new SettingsError(`mounts: "${path}" must be a path such as "/mcp" that the service does not use.`)
  if (isLoopback(host) || (studio === false && paths.length === 0)) return
  const what = studio === false ? 'mounts' : 'studio'
  throw new SettingsError(
    `${what}: only available on this machine, so the host must be a loopback address; it is "${host}".`,
  )
}

function describe({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
