import { type Synced, syncBridge, trySync } from '../api/sync-bridge.ts'
import { findDefaultUrls } from '../app/default-urls.ts'
import { findApp, findFirst } from '../app/find-app.ts'
import type { BridgeProblem } from '../bridge/describe-failure.ts'
import { CommandError } from '../terminal/command-error.ts'
import { toProblem } from '../terminal/print-problem.ts'
import { type DevMount, type DevService, type DevServiceOptions, startDevService } from './dev-service.ts'
import { isOwnProbe } from './is-own-probe.ts'
import { type RunningApp, runApp } from './run-app.ts'
import { type AppSearch, portsOf, waitForApp } from './wait-for-app.ts'
import { type BridgeState, watchBridge } from './watch-bridge.ts'

/** How an app is developed with a local service. */
export interface DevOptions extends Omit<DevServiceOptions, 'mounts'> {
  /** The address of the app's bridge. @default searched for on this machine */
  readonly bridgeUrl?: string | undefined
  /** The other address of `localhost`, as an alternative. */
  readonly otherBridgeUrl?: string | undefined
  /** The command that starts the app. @default the app is started separately */
  readonly run?: string | undefined
  /** The app's folder. @default the folder of the process */
  readonly cwd?: string
  /** The environment of the app. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The minimum time between two checks of the app, in milliseconds. @default 500 */
  readonly pollMs?: number
  /** Called for each event. */
  readonly onEvent?: (event: DevEvent) => void
}

/** Something that happened while an app is developed. */
export type DevEvent =
  | { readonly kind: 'already-running'; readonly url: string; readonly isUsed: boolean }
  | { readonly kind: 'app-line'; readonly line: string }
  | { readonly kind: 'app-ended'; readonly how: string }
  | { readonly kind: 'app-found'; readonly url: string; readonly others: readonly string[] }
  | { readonly kind: 'synced'; readonly state: BridgeState & { kind: 'up' }; readonly synced: Synced }
  | { readonly kind: 'failing'; readonly problem: BridgeProblem }

/** A local service that runs together with an app. */
export interface DevSession {
  /** The local service. */
  readonly service: DevService
  /** Resolves with the bridge address at the first sync; rejects if the app exits first. */
  readonly ready: Promise<string>
  /** Stops the service, and the app if it was started here. */
  stop(): Promise<void>
}

const usualPollMs = 500
/** An app started here restarts on each save. It counts as down after this many failed checks, about ten seconds. */
const restartLooks = 20

/**
 * Starts a local notification service, finds or starts the app, and keeps both in sync until stopped. Only this machine
 * is called, unless `bridgeUrl` is elsewhere.
 *
 * @param options - App, service, and event callback.
 * @throws When the service cannot be started.
 * @example
 * const session = await startDev({ bridgeUrl: 'http://127.0.0.1:4000/api/bridge' })
 * await session.ready
 * console.log(session.service.studioLink())
 * await session.stop()
 */
export async function startDev(options: DevOptions = {}): Promise<DevSession> {
  const { cwd = process.cwd(), env = process.env, onEvent = () => undefined } = options
  const current: { service?: DevService; bridgeUrl?: string } = {}
  const service = await startDevService({ ...options, mounts: { '/mcp': mountMcp(current, cwd) } })
  current.service = service
  const ending = new AbortController()
  const { bridgeUrl, run } = options
  const others = run === undefined ? [] : await findRunning(options, { cwd, env, signal: ending.signal })
  for (const url of others) onEvent({ kind: 'already-running', url, isUsed: bridgeUrl !== undefined })
  const ports: number[] = []
  const onAppEvent = (event: DevEvent): void => {
    if (event.kind === 'app-line') ports.unshift(...portsOf(event.line))
    if (event.kind === 'app-found') current.bridgeUrl = event.url
    onEvent(event)
  }
  const app = run === undefined ? undefined : startApp(run, { cwd, env, onEvent: onAppEvent, service })
  const ready = createDeferred<string>()
  ready.promise.catch(() => undefined)
  void app?.ended.then((how) => {
    if (ending.signal.aborted) return
    onEvent({ kind: 'app-ended', how })
    ready.reject(new CommandError(`The app ${how} before its bridge answered.`, { fix: 'See its output above.' }))
  })
  const search = { others, ports: () => ports }
  const filled = { ...options, cwd, env, onEvent: onAppEvent }
  const work = keepInSync(filled, { service, ready, search, signal: ending.signal }).catch((error: unknown) => {
    if (ending.signal.aborted) return
    ready.reject(error)
    const { code = 'SyncFailed', message, why = '', fix = '' } = toProblem(error)
    onEvent({ kind: 'failing', problem: { code, message, why, fix, data: null } })
  })
  return {
    service,
    ready: ready.promise,
    async stop() {
      ending.abort()
      await Promise.all([work, app?.stop()])
      await service.stop()
    },
  }
}

/**
 * Returns the bridges that respond before the app is started, so belong to other apps. If an address is given, only
 * that one counts.
 */
async function findRunning(
  { bridgeUrl, otherBridgeUrl }: DevOptions,
  { cwd, env, signal }: Pick<AppSearch, 'cwd' | 'env' | 'signal'>,
): Promise<readonly string[]> {
  if (bridgeUrl === undefined) return findApp(findDefaultUrls(cwd, env), signal)
  const running = await findFirst([bridgeUrl, ...(otherBridgeUrl ? [otherBridgeUrl] : [])], signal)
  return running === undefined ? [] : [running]
}

/** Mounts the MCP endpoint, which is loaded on first use. */
function mountMcp(current: { readonly service?: DevService; readonly bridgeUrl?: string }, cwd: string): DevMount {
  return async (call) => {
    const { service, bridgeUrl } = current
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    return serveMcp(call, { access: service && { apiUrl: service.url, key: service.key }, bridgeUrl, cwd })
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function createDeferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

interface AppStart {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onEvent: (event: DevEvent) => void
  readonly service: DevService
}

/**
 * Sets variables so that the app's triggers and inboxes use this service. Vite only exposes variables with its prefix
 * to pages.
 */
function startApp(command: string, { cwd, env, onEvent, service }: AppStart): RunningApp {
  const { url, key, applicationIdentifier } = service
  const own = { SERVICE_API_URL: url, SERVICE_SECRET_KEY: key, SERVICE_APPLICATION_IDENTIFIER: applicationIdentifier }
  const inPages = { VITE_SERVICE_API_URL: url, VITE_SERVICE_APPLICATION_IDENTIFIER: applicationIdentifier }
  return runApp(command, {
    cwd,
    env: { ...env, ...own, ...inPages },
    onLine: (line) => {
      if (!isOwnProbe(line)) onEvent({ kind: 'app-line', line })
    },
  })
}

interface Work {
  readonly service: DevService
  readonly ready: Deferred<string>
  readonly search: Pick<AppSearch, 'others' | 'ports'>
  readonly signal: AbortSignal
}

type Filled = DevOptions & Required<Pick<DevOptions, 'cwd' | 'env' | 'onEvent'>>

async function keepInSync(options: Filled, { service, ready, search, signal }: Work): Promise<void> {
  const { onEvent, pollMs = usualPollMs } = options
  const { bridgeUrl, otherBridgeUrl, run, cwd, env } = options
  if (bridgeUrl !== undefined) onEvent({ kind: 'app-found', url: bridgeUrl, others: [] })
  const isStarting = run !== undefined
  const { url, others } = await waitForApp({ bridgeUrl, otherBridgeUrl, isStarting, cwd, env, ...search, signal })
  if (url !== bridgeUrl) onEvent({ kind: 'app-found', url, others })
  const access = { apiUrl: service.url, key: service.key }
  let reportedUrl = url
  const onChange = async (state: BridgeState, at: string): Promise<void> => {
    if (at !== reportedUrl) onEvent({ kind: 'app-found', url: at, others })
    reportedUrl = at
    if (state.kind === 'failing') {
      onEvent(state)
      // The studio shows the state that the service itself has observed.
      await trySync(access, at, signal)
      return
    }
    try {
      const synced = await syncBridge(access, at, signal)
      onEvent({ kind: 'synced', state, synced })
      ready.resolve(at)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CommandError)) throw error
      const { code = 'SyncFailed', message, why = '', fix = '' } = error
      onEvent({ kind: 'failing', problem: { code, message, why, fix, data: null } })
    }
  }
  const given = bridgeUrl !== undefined && otherBridgeUrl !== undefined ? [bridgeUrl, otherBridgeUrl] : []
  const urls = [url, ...given.filter((one) => one !== url)] as const
  const patience = isStarting ? restartLooks : 1
  await watchBridge({ urls, key: service.key, pollMs, patience, onChange, signal })
}
