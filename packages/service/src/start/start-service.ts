import type { MailServer } from '@trestle/inbound-mail'
import { type DestinationStream, type Logger, pino } from 'pino'
import { offerFirstAdmin } from '../accounts/first-admin.ts'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import type { ServiceContext } from '../context/service-context.ts'
import type { Engine } from '../engine/engine.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { FreshKey } from '../operations/environments/prepare-environments.ts'
import { serializeError } from '../store/faults/serialize-error.ts'
import type { Store } from '../store/store.ts'
import { flushSpans } from '../traces/flush-spans.ts'
import { createContext, type Started } from './create-context.ts'
import { createLogHook } from './log-hook.ts'
import { startRenewal } from './renewal.ts'
import { createRetention } from './retention.ts'
import { type Listening, serveHttp } from './serve-http.ts'
import { serveMail } from './serve-mail.ts'
import { type Sockets, serveSockets } from './serve-sockets.ts'

/** A running service. */
export interface Service {
  /** The URL of the API. */
  readonly url: string
  /** The URL of inbox sockets; undefined if there is none. */
  readonly socketUrl: string | undefined
  /** The port of the mail server; undefined if there is none. */
  readonly mailPort: number | undefined
  /**
   * Returns a new link that opens the studio in one browser, once; undefined if the studio is not served. The link
   * grants access to the studio's environments, so print it only for the user of this machine.
   */
  studioLink(): string | undefined
  /**
   * The URL that creates the first admin, once, within an hour; undefined if there is an admin or accounts are off. Print
   * it only where operators read it.
   */
  readonly firstAdminLink: string | undefined
  /** The keys created at this start, without those that are configured. They cannot be read again. */
  readonly freshKeys: readonly FreshKey[]
  /** The database. */
  readonly store: Store
  /** The engine, for tests that move the clock. */
  readonly engine: Engine
  /** Removes expired data now, and returns the number of removed runs. */
  readonly removeOldRuns: () => Promise<number>
  /**
   * Stops the service: running steps finish or return to the queue. New connections are rejected at once.
   *
   * @param options - How long keep-alive connections of proxies are still served.
   */
  stop(options?: StopOptions): Promise<void>
}

/** Options for stopping a service. */
export interface StopOptions {
  /**
   * How long idle keep-alive connections stay open, in milliseconds. A request that a proxy sends in this time is
   * answered with `connection: close`, so that a rolling restart resets none. @default 0
   */
  readonly drainMs?: number
}

/**
 * Starts the notification service: opens the database, serves the API and runs workflows.
 *
 * @throws {SettingsError} An option is invalid.
 *
 * @example
 * const service = await startService({ port: 0 })
 * console.log(service.url, service.freshKeys)
 * await service.stop()
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const settings = readSettings(options)
  const logger = createLogger(settings)
  const started = await createContext(settings, logger)
  try {
    return await run(started)
  } catch (error) {
    await started.context.inboxFeed.close().catch(() => undefined)
    await started.queue.close().catch(() => undefined)
    await started.context.store.close().catch(() => undefined)
    throw error
  }
}

async function run({ context, queue, connections, metrics, freshKeys }: Started): Promise<Service> {
  const { settings, engine, store, logger } = context
  const { listening, sockets, mail } = await serve(context, metrics)
  const firstAdminLink = await offerFirstAdmin(context)
  const retention = createRetention(context)
  const renewal = startRenewal(context)
  if (settings.work) {
    engine.start()
    retention.start()
  }
  logger.info({ url: listening.url, database: store.driver }, 'the service is ready')
  let stopped: Promise<void> | undefined
  const stop = async ({ drainMs }: StopOptions): Promise<void> => {
    const { stopGraceMs } = settings
    await Promise.all([
      listening.stop(stopGraceMs, drainMs),
      sockets?.stop(),
      mail?.stop(),
      settings.work ? engine.stop(stopGraceMs) : undefined,
    ])
    await Promise.all([retention.stop(), renewal.stop()])
    connections.close()
    await context.inboxFeed.close()
    await queue.close()
    await store.close()
    await flushSpans()
    logger.info('the service has stopped')
  }
  return {
    url: listening.url,
    socketUrl: sockets && listening.url.replace(/:\d+$/, `:${sockets.port}`),
    mailPort: mail?.port,
    studioLink: listening.studioLink,
    firstAdminLink,
    freshKeys,
    store,
    engine,
    removeOldRuns: retention.sweep,
    stop(options = {}) {
      stopped ??= stop(options)
      return stopped
    },
  }
}

interface Served {
  readonly listening: Listening
  readonly sockets: Sockets | undefined
  readonly mail: MailServer | undefined
}

/** Opens all ports or none. */
async function serve(context: ServiceContext, metrics: Metrics): Promise<Served> {
  const { socketPort } = context.settings
  const listening = await serveHttp(context, metrics)
  let sockets: Sockets | undefined
  try {
    sockets = socketPort === undefined ? undefined : await serveSockets(context, socketPort)
    return { listening, sockets, mail: await serveMail(context) }
  } catch (error) {
    await Promise.all([listening.stop(0), sockets?.stop()])
    throw error
  }
}

function createLogger({ logLevel, log }: Settings): Logger {
  const options = {
    ...{ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: createLogHook() },
    serializers: { err: serializeError },
  }
  return log ? pino(options, { write: (line: string) => log.write(line) } as DestinationStream) : pino(options)
}
