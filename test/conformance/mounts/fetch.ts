import { type Bridge, createBridge } from '@trestle/core'
import type { Mount } from './mount.ts'

const bridges = new Map<string, Bridge>()

/** Finds the bridge for a URL without a server. */
export function findInProcess(url: string): Bridge | undefined {
  return bridges.get(url)
}

/** The bridge's `fetch`, called directly. */
export const fetchMount: Mount = {
  name: 'bridge.fetch',
  body: 'stream',
  inFront: {},
  async mount(options) {
    const url = `inprocess:${bridges.size}`
    bridges.set(url, createBridge(options))
    return { url, close: async () => void bridges.delete(url) }
  },
}
