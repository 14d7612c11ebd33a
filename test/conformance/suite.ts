import { beforeAll, describe } from 'vitest'
import { isNightly } from '../scope.ts'
import { agents } from './cases/agents.ts'
import { bodies } from './cases/bodies.ts'
import { checkOrder } from './cases/check-order.ts'
import { clients } from './cases/clients.ts'
import { continuing } from './cases/continuing.ts'
import { discovery } from './cases/discovery.ts'
import { errors } from './cases/errors.ts'
import { hostile } from './cases/hostile.ts'
import { keptConnections } from './cases/kept-connections.ts'
import { replies } from './cases/replies.ts'
import { requests } from './cases/requests.ts'
import { running } from './cases/running.ts'
import { runningEdges } from './cases/running-edges.ts'
import { signature } from './cases/signature.ts'
import { sockets } from './cases/sockets.ts'
import { trigger } from './cases/trigger.ts'
import { cors, nonces, secrets, strictness, unverified } from './cases/trust.ts'
import type { Mount } from './mounts/mount.ts'

/** The behavior that a server can affect: everything about the incoming request and the outgoing response. */
const transport = [checkOrder, signature, bodies, requests, replies, unverified, nonces, cors]

/** The behavior of the bridge after it has received the call; adapters do not affect it. */
const behaviour = [secrets, strictness, running, runningEdges, continuing, discovery, errors, trigger, agents, hostile]

/**
 * Tests a way of serving a bridge against the specification and the protocol.
 *
 * @param behaviourRuns - When the behavior rows run: `daily` for the bridge itself, `nightly` for an adapter, `never`
 * for a variant of a mount that already runs them.
 */
export function conformance(mount: Mount, behaviourRuns: 'daily' | 'nightly' | 'never' = 'nightly'): void {
  describe(mount.name, () => {
    beforeAll(async () => mount.prepare?.(), 300_000)
    for (const cases of transport) cases(mount)
    if (behaviourRuns === 'daily' || (behaviourRuns === 'nightly' && isNightly))
      for (const cases of behaviour) cases(mount)
    if (mount.name === 'bridge.fetch') return
    sockets(mount)
    keptConnections(mount)
    clients(mount)
  })
}
