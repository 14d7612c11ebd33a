import { setTimeout as sleep } from 'node:timers/promises'
import { findDefaultUrls } from '../app/default-urls.ts'
import { chooseAnswering, findApp } from '../app/find-app.ts'
import { createClient } from '../bridge/create-client.ts'
import { describeFailure } from '../bridge/describe-failure.ts'
import { mayPass } from './may-pass.ts'

/** The app to wait for. */
export interface AppSearch {
  /** The bridge address; searched for if undefined. */
  readonly bridgeUrl: string | undefined
  /** The other address of `localhost`, as an alternative. */
  readonly otherBridgeUrl?: string | undefined
  /** Whether it was started by this process and needs time. */
  readonly isStarting: boolean
  /** Bridges of other apps: they responded before this app was started. */
  readonly others: readonly string[]
  /** The ports that the app has printed so far. */
  readonly ports: () => readonly number[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const lookAgainMs = 500
const timeoutMs = 2000

/**
 * Returns the bridge address of an app, and other addresses that respond, once it is up. A given address is returned as
 * soon as anything responds there.
 *
 * @param search - The app to wait for.
 */
export async function waitForApp(
  search: AppSearch,
): Promise<{ readonly url: string; readonly others: readonly string[] }> {
  const { bridgeUrl, isStarting, signal, cwd, env } = search
  for (;;) {
    if (bridgeUrl === undefined) {
      const places = findDefaultUrls(cwd, env)
      const ports = [...new Set([...search.ports(), ...places.ports])]
      const apps = await findApp({ ...places, ports }, signal)
      const [url, ...others] = apps.filter((one) => !search.others.includes(one))
      if (url !== undefined) return { url, others }
    } else {
      const urls: [string, ...string[]] = [bridgeUrl, ...(search.otherBridgeUrl ? [search.otherBridgeUrl] : [])]
      const url = await chooseAnswering(urls, signal)
      if (!isStarting || (await answers(url, signal))) return { url, others: [] }
    }
    await sleep(lookAgainMs, undefined, { signal })
  }
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await createClient({ url, key: undefined, timeoutMs }).healthCheck({ signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    return !mayPass(describeFailure(error)?.code ?? '')
  }
}

/** Returns the local ports that a line of output mentions. */
export function portsOf(line: string): readonly number[] {
  const matches = line.matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{2,5})\b/g)
  return [...matches].map(([, port]) => Number(port)).filter((port) => port < 65_536)
}
