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

/** What depends on how the body arrives, such as behind a parser. */
const incoming = [checkOrder, signature, bodies]

/** The other behavior that a server can affect: everything about the request and the response. */
const transport = [requests, replies, unverified, nonces, cors, overSocket]

/** The behavior of the bridge after it has received the call; adapters do not affect it. */
const behaviour = [secrets, strictness, running, runningEdges, continuing, discovery, errors, trigger, agents, hostile]

function overSocket(mount: Mount): void {
  if (mount.name === 'bridge.fetch') return
  sockets(mount)
  keptConnections(mount)
  clients(mount)
}

/**
 * Tests a way of serving a bridge against the specification and the protocol.
 *
 * @param role - The daily run tests everything on the bridge itself, transport on an adapter, and incoming bodies on a
 * variant of an adapter. The nightly run also tests behavior on adapters and transport on variants.
 */
export function conformance(mount: Mount, role: 'bridge' | 'adapter' | 'variant'): void {
  describe(mount.name, () => {
    beforeAll(async () => mount.prepare?.(), 300_000)
    for (const cases of incoming) cases(mount)
    if (role !== 'variant' || isNightly) for (const cases of transport) cases(mount)
    if (role === 'bridge' || (role === 'adapter' && isNightly)) for (const cases of behaviour) cases(mount)
  })
}
