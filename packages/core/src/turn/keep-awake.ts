import type { WaitUntil } from '../bridge/bridge-options.ts'
import type { Registry } from '../bridge/registry.ts'
import { findEnvironment } from '../config/environment.ts'

/** Platforms that may stop the process once a call is answered, by a variable that they set. */
const freezing: Readonly<Record<string, string>> = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  K_SERVICE: 'Cloud Run',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
}

/**
 * Keeps the runtime awake until a turn is over, or warns, once, where nothing says how.
 *
 * @param registry - The bridge.
 * @param ofCall - How the call's own platform is kept awake.
 * @param work - The turn; never rejects.
 */
export function keepAwake(registry: Registry, ofCall: WaitUntil | undefined, work: Promise<void>): void {
  const waitUntil = ofCall ?? registry.settings.waitUntil
  if (waitUntil) registry.notices.guard('waitUntil', () => void waitUntil(work))
  else {
    const platform = findFreezing()
    if (platform !== undefined)
      registry.notices.once(
        `${platform} may stop this process as soon as an agent event is acknowledged, before the agent has replied. ` +
          'Give the bridge the option waitUntil of the platform, or run agents where the process goes on.',
      )
  }
}

function findFreezing(): string | undefined {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } }
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'Cloudflare Workers'
  const environment = findEnvironment()
  const found = Object.entries(freezing).find(([name]) => environment?.(name))
  return found?.[1]
}
