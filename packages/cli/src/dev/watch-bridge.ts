import { setTimeout as sleep } from 'node:timers/promises'
import type { DiscoverReply } from '@trestle/protocol'
import { createClient } from '../bridge/create-client.ts'
import { type BridgeProblem, describeFailure } from '../bridge/describe-failure.ts'
import { mayPass } from './may-pass.ts'

/** What a watched bridge is like by now. */
export type BridgeState =
  | { readonly kind: 'up'; readonly reply: DiscoverReply }
  | { readonly kind: 'failing'; readonly problem: BridgeProblem }

/** How a bridge is watched. */
export interface WatchOptions {
  /** Where it is, or may be: where nothing listens at one address, the next one is asked. */
  readonly urls: readonly [string, ...string[]]
  readonly key: string
  /** The shortest time between two looks. */
  readonly pollMs: number
  /** How often in a row a problem that may pass is seen before it counts, as while an app restarts. @default 1 */
  readonly patience?: number
  /** Called when something has changed, with where it is; the next look follows when it has settled. */
  readonly onChange: (state: BridgeState, url: string) => Promise<void> | void
  readonly signal: AbortSignal
}

/** Looking takes at most this part of the app's time. */
const maxShare = 10
const longestMs = 5000
const timeoutMs = 15_000

/**
 * Watches the workflows of a bridge until the signal aborts: asks it again and again, and calls back on each change.
 * While it does not answer it is asked less and less often, up to five seconds apart.
 *
 * @param options - The bridge, and who wants to know.
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

/** Returns a function that asks a bridge where it was last, and elsewhere where nobody listens there. */
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
