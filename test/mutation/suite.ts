import { createBridge } from '@trestle/core'
import { describe, expect, test } from 'vitest'
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

// The part of the conformance suite about trust, fast enough to run once per deleted line.
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

describe('a body that cannot be read', () => {
  const logger = { warn: () => undefined, error: () => undefined }
  const bridge = createBridge({ workflows: [], secretKey: 'secret', strictAuthentication: false, logger })
  const ask = async (body: ReadableStream | string, isRead = false): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request('http://localhost/api?action=execute&workflowId=w&stepId=s', init)
    if (isRead) request.body?.getReader()
    return (await bridge.fetch(request)).json()
  }

  test('is reported as too large if a server rejected it for its size', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('too large'), { status: 413, limit: 10 })),
    })
    expect(await ask(stream)).toMatchObject({ code: 'PayloadTooLarge', data: { limit: 10 } })
  })

  test('is reported as already read if other code has read it', async () => {
    expect(await ask('{}', true)).toMatchObject({ message: expect.stringContaining('was read before') })
  })
})
