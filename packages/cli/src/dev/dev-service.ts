import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isObject } from '@trestle/protocol'
import { type Service, type ServiceOptions, startService } from '@trestle/service'
import { callService, ServiceError } from '../api/service-access.ts'
import { openRanges } from '../bridge/create-client.ts'
import { CommandError } from '../terminal/command-error.ts'
import { findFreePort } from './free-port.ts'

/** Handles the calls to a path outside the API. */
export type DevMount = NonNullable<ServiceOptions['mounts']>[string]

/** A local notification service. */
export interface DevService {
  /** Base address of the REST API. */
  readonly url: string
  /** Returns a new single-use link that opens the studio. */
  studioLink(): string
  /** Secret key of the service's Development environment. */
  readonly key: string
  /** Public identifier of the Development environment, for inboxes in browsers. */
  readonly applicationIdentifier: string
  /** The requested port, if it was taken. */
  readonly takenPort: number | undefined
  stop(): Promise<void>
}

/** How the local service is started. */
export interface DevServiceOptions {
  /** The port; if it is in use, the next free one. @default 3737 */
  readonly port?: number | undefined
  /** The folder for its data. @default in memory */
  readonly data?: string | undefined
  /** The secret key. @default that of the data folder, otherwise a new one */
  readonly key?: string | undefined
  /** Names of the environments that the studio shows. @default Development */
  readonly environments?: readonly string[] | undefined
  /** Host names, such as that of a tunnel, that may also reach the REST API. @default loopback names only */
  readonly allowedHosts?: readonly string[]
  /** Additional pages and endpoints. */
  readonly mounts?: ServiceOptions['mounts']
}

const usualPort = 3737
const keyFile = 'development.key'
const minKeyLength = 16
/**
 * The timeout of a bridge call, long enough for frameworks that compile a route on its first request. The bridge's own
 * deadline still limits slow handlers.
 */
const compileMs = 60_000

/**
 * Starts the local service on 127.0.0.1.
 *
 * @throws {CommandError} The stored key is invalid, or was replaced.
 * @throws When no database can be opened.
 */
export async function startDevService(options: DevServiceOptions): Promise<DevService> {
  const { port = usualPort, data, mounts, environments = ['Development'], allowedHosts = [] } = options
  const key = options.key ?? (data === undefined ? createKey() : keepKey(data))
  const freePort = await findFreePort(port)
  const settings: ServiceOptions = {
    host: '127.0.0.1',
    secretKeys: { Development: key },
    logLevel: 'silent',
    studio: true,
    studioEnvironments: environments,
    stopGraceMs: 1000,
    plan: 'off',
    allowedHosts,
    // The environment variables belong to the app: its database is not used here, and its address ranges must not block
    // this machine.
    databaseUrl: '',
    bridge: { allow: openRanges(), timeoutMs: compileMs },
    ...(mounts && { mounts }),
    ...(data === undefined
      ? { databaseFile: ':memory:', encryptionKey: randomBytes(32).toString('base64') }
      : { dataFolder: resolve(data) }),
  }
  const service = await start(settings, freePort)
  const applicationIdentifier = await readIdentifier(service.url, key).catch(async (error: unknown) => {
    await service.stop()
    throw data !== undefined && error instanceof ServiceError && error.status === 401 ? createKeyError(data) : error
  })
  return {
    url: service.url,
    studioLink: () => service.studioLink() ?? '',
    key,
    applicationIdentifier,
    takenPort: port !== 0 && service.url !== `http://127.0.0.1:${port}` ? port : undefined,
    stop: () => service.stop(),
  }
}

async function readIdentifier(apiUrl: string, key: string): Promise<string> {
  const environment = await callService({ apiUrl, key }, { method: 'GET', path: '/v1/environments/me' })
  return isObject(environment) ? String(environment['identifier']) : ''
}

/** The service does not accept a key again that was regenerated through the API. */
function createKeyError(data: string): CommandError {
  return new CommandError('This secret key is no longer valid: the key of the local service was regenerated.', {
    fix: `Put the new key into the settings of the app and into ${join(data, keyFile)}, or delete ${data} to start over.`,
  })
}

/** Retries with another port, because another process may have taken the port in the meantime. */
async function start(settings: ServiceOptions, port: number): Promise<Service> {
  try {
    return await startService({ ...settings, port })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    return startService({ ...settings, port: 0 })
  }
}

/** Returns whether a key can be the secret key of the local service. */
export function isUsableKey(key: string): boolean {
  return key.length >= minKeyLength && key.length <= 512
}

const createKey = (): string => `sk_${randomBytes(18).toString('hex')}`

function keepKey(data: string): string {
  const path = join(data, keyFile)
  if (existsSync(path)) {
    const storedKey = readFileSync(path, 'utf8').trim()
    if (isUsableKey(storedKey)) return storedKey
    throw new CommandError(
      `The key in ${path} has ${storedKey.length} characters; the local service requires 16 to 512.`,
      {
        fix: 'Delete the file to create a new key.',
      },
    )
  }
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const key = createKey()
  writeFileSync(path, `${key}\n`, { mode: 0o600 })
  return key
}
