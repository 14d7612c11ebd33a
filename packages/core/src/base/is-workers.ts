/** Returns whether this is Cloudflare Workers, where timers and variables belong to a request. */
export function isWorkers(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } }
  return navigator?.userAgent === 'Cloudflare-Workers'
}
