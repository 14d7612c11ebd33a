import { createClient } from '../bridge/create-client.ts'
import type { DefaultUrls } from './default-urls.ts'

const hosts = ['127.0.0.1', '[::1]']
const probeTimeoutMs = 1500

/**
 * Returns the addresses at which a bridge responds, most likely first. All are called in parallel, and only on this
 * machine.
 */
export async function findApp({ ports, paths }: DefaultUrls, signal: AbortSignal): Promise<readonly string[]> {
  const results = await Promise.all(ports.map((port) => findAtPort(port, paths, signal)))
  return results.flat()
}

async function findAtPort(port: number, paths: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const urls = paths.flatMap((path) => hosts.map((host) => `http://${host}:${port}${path}`))
  const result = await findFirst(urls, signal)
  if (result === undefined) return []
  // An app may have started listening since it was first called.
  return [(await findFirst(urls.slice(0, urls.indexOf(result)), signal)) ?? result]
}

/** Returns the first of the given addresses at which a bridge responds. */
export async function findFirst(urls: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  for (const url of urls) if (await isBridge(url, signal)) return url
  return undefined
}

/** Returns the first of the given addresses at which a bridge responds, or the first address if none does. */
export async function chooseAnswering(urls: readonly [string, ...string[]], signal: AbortSignal): Promise<string> {
  return (urls.length > 1 ? await findFirst(urls, signal) : undefined) ?? urls[0]
}

/** Returns whether a bridge responds to a health check at an address. */
export async function isBridge(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const client = createClient({ url, key: undefined, timeoutMs: probeTimeoutMs })
    return (await client.healthCheck({ signal })).status === 'ok'
  } catch {
    signal.throwIfAborted()
    return false
  }
}
