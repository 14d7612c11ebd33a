import { describe } from 'vitest'
import { bodies } from '../conformance/cases/bodies.ts'
import { checkOrder } from '../conformance/cases/check-order.ts'
import { replies } from '../conformance/cases/replies.ts'
import { requests } from '../conformance/cases/requests.ts'
import { signature } from '../conformance/cases/signature.ts'
import { sockets } from '../conformance/cases/sockets.ts'
import { trigger } from '../conformance/cases/trigger.ts'
import { cors, nonces, secrets, strictness, unverified } from '../conformance/cases/trust.ts'
import { fetchMount } from '../conformance/mounts/fetch.ts'
import { nodeMount, parsedNodeMount } from '../conformance/mounts/node.ts'

// The part of the conformance suite that has to do with trust, quick enough to be run once for every deleted line.
describe('in process', () => {
  for (const cases of [
    checkOrder,
    signature,
    bodies,
    replies,
    requests,
    unverified,
    nonces,
    cors,
    secrets,
    strictness,
    trigger,
  ])
    cases(fetchMount)
})
describe('over sockets', () => sockets(nodeMount))
describe('behind a parser', () => bodies(parsedNodeMount))
