import { isWorkers } from '../base/is-workers.ts'
import type { WaitUntil } from '../bridge/bridge-options.ts'
import type { Registry } from '../bridge/registry.ts'
import { findEnvironment } from '../config/environment.ts'

/** Platforms that can suspend the process after a response, keyed by a variable that they set. */
const freezing: Readonly<Record<string, string>> = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  K_SERVICE: 'Cloud Run',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
}

/** Where Next.js and Vercel store the context of the current request, so that no package is needed. */
const requestContexts = [Symbol.for('@next/request-context'), Symbol.for('@vercel/request-context')]

/**
 * Keeps the runtime awake until a turn has ended, or warns once if the platform provides no way to do so.
 *
 * @param registry - The bridge, whose option overrides everything else.
 * @param ofCall - The `waitUntil` of the call's platform.
 */
export function keepAwake(registry: Registry, ofCall: WaitUntil | undefined, work: Promise<void>): void {
  const waitUntil = registry.settings.waitUntil ?? ofCall ?? findWaitUntil()
  if (waitUntil) registry.notices.guard('waitUntil', () => void waitUntil(work))
  else {
    const platform = findFreezing()
    if (platform !== undefined)
      registry.notices.once(
        `${platform} may stop this process after an agent event is acknowledged and before the agent has replied. ` +
          'Set the bridge option waitUntil to the waitUntil function of the platform, or run agents in a process that keeps running.',
      )
  }
}

interface RequestContext {
  readonly waitUntil?: unknown
}

/** Returns the platform's `waitUntil` for the current request. */
function findWaitUntil(): WaitUntil | undefined {
  for (const name of requestContexts) {
    const holder: { get?(): RequestContext | undefined } | undefined = Reflect.get(globalThis, name)
    const context = typeof holder?.get === 'function' ? holder.get() : undefined
    if (typeof context?.waitUntil === 'function') return (work) => (context as { waitUntil: WaitUntil }).waitUntil(work)
  }
  return undefined
}

function findFreezing(): string | undefined {
  if (isWorkers()) return 'Cloudflare Workers'
  const environment = findEnvironment()
  const entry = Object.entries(freezing).find(([name]) => environment?.(name))
  return entry?.[1]
}
