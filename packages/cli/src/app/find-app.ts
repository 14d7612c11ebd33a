import { createClient } from '../bridge/create-client.ts'
import type { UsualPlaces } from './usual-places.ts'

const hosts = ['127.0.0.1', '[::1]']
const probeTimeoutMs = 1500

/**
 * Returns the addresses at which a bridge answers, the likeliest first. All are asked at once, on this machine only.
 *
 * @param places - Where to look.
 * @param signal - Ends it.
 */
export async function findApp({ ports, paths }: UsualPlaces, signal: AbortSignal): Promise<readonly string[]> {
  const found = await Promise.all(ports.map((port) => findAtPort(port, paths, signal)))
  return found.flat()
}

async function findAtPort(port: number, paths: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  for (const path of paths) {
    for (const host of hosts) {
      const url = `http://${host}:${port}${path}`
      if (await isBridge(url, signal)) return [url]
    }
  }
  return []
}

/**
 * Returns the first of some addresses at which a bridge answers; the first of all where none does.
 *
 * @param urls - The addresses.
 * @param signal - Ends it.
 */
export async function chooseAnswering(urls: readonly [string, ...string[]], signal: AbortSignal): Promise<string> {
  if (urls.length > 1) for (const url of urls) if (await isBridge(url, signal)) return url
  return urls[0]
}

/**
 * Returns whether a bridge answers a health check at an address.
 *
 * @param url - The address.
 * @param signal - Ends it.
 */
export async function isBridge(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const client = createClient({ url, key: undefined, timeoutMs: probeTimeoutMs })
    return (await client.healthCheck({ signal })).status === 'ok'
  } catch {
    signal.throwIfAborted()
    return false
  }
}
