import { setTimeout as sleep } from 'node:timers/promises'
import type { DiscoverReply } from '@trestle/protocol'
import { createClient } from '../bridge/create-client.ts'
import { type BridgeProblem, describeFailure } from '../bridge/describe-failure.ts'
import { mayPass } from './may-pass.ts'

/** The current state of a watched bridge. */
export type BridgeState =
  | { readonly kind: 'up'; readonly reply: DiscoverReply }
  | { readonly kind: 'failing'; readonly problem: BridgeProblem }

/** How a bridge is watched. */
export interface WatchOptions {
  /** The possible addresses: if nothing listens at one, the next is tried. */
  readonly urls: readonly [string, ...string[]]
  readonly key: string
  /** The minimum time between two checks. */
  readonly pollMs: number
  /**
   * How many times in a row a transient problem must occur before it is reported, such as while an app restarts.
   * @default 1
   */
  readonly patience?: number
  /** Called on each change with the current address; the next check waits until it has settled. */
  readonly onChange: (state: BridgeState, url: string) => Promise<void> | void
  readonly signal: AbortSignal
}

/** Checks take at most this fraction of the app's time. */
const maxShare = 10
const longestMs = 5000
const timeoutMs = 15_000

/**
 * Watches the workflows of a bridge until the signal aborts: polls it, and calls back on each change. While the bridge
 * does not respond, the interval grows to up to five seconds.
 *
 * @param options - The bridge, and the callback.
 */
export async function watchBridge(options: WatchOptions): Promise<void> {
  const { urls, key, pollMs, patience = 1, onChange, signal } = options
  const look = createLook(urls, key, signal)
  let timesAway = 0
  let last = ''
  let waitMs = pollMs
  while (!signal.aborted) {
    const startedMs = performance.now()
    const { state, url } = await look()
    if (signal.aborted) return
    const tookMs = performance.now() - startedMs
    const text = JSON.stringify([url, state.kind === 'up' ? state.reply : [state.problem.code, state.problem.message]])
    timesAway = state.kind === 'failing' && mayPass(state.problem.code) ? timesAway + 1 : 0
    if (timesAway > 0 && timesAway < patience) waitMs = pollMs
    else if (text !== last) {
      last = text
      waitMs = pollMs
      await onChange(state, url)
    } else waitMs = state.kind === 'up' ? pollMs : Math.min(longestMs, waitMs * 1.5)
    const restMs = state.kind === 'up' ? Math.max(waitMs, tookMs * maxShare) : waitMs
    await sleep(restMs, undefined, { signal }).catch(() => undefined)
  }
}

interface Seen {
  readonly state: BridgeState
  readonly url: string
}

/** Returns a function that calls a bridge at its last address, or at the others if nothing listens there. */
function createLook(urls: WatchOptions['urls'], key: string, signal: AbortSignal): () => Promise<Seen> {
  let places = urls.map((url) => ({ url, client: createClient({ url, key, timeoutMs }) }))
  return async () => {
    let refused: Seen | undefined
    for (const place of places) {
      const state = await lookAt(place.client, signal)
      const seen: Seen = { state, url: place.url }
      if (state.kind === 'up' || state.problem.code !== 'ECONNREFUSED') {
        places = [place, ...places.filter((one) => one !== place)]
        return seen
      }
      refused ??= seen
    }
    return refused as Seen
  }
}

async function lookAt(client: ReturnType<typeof createClient>, signal: AbortSignal): Promise<BridgeState> {
  try {
    return { kind: 'up', reply: await client.discover({ signal }) }
  } catch (error) {
    const problem = describeFailure(error)
    if (problem) return { kind: 'failing', problem }
    if (signal.aborted) return { kind: 'up', reply: { workflows: [], agents: [] } }
    throw error
  }
}
