import { Agent, request } from 'node:http'
import { sign } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { secret } from '../call.ts'
import { workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const query = '?action=execute&workflowId=echo&stepId=tell'
const patienceMs = 3000
const maxBodyBytes = 100_000
// Larger than the socket and stream buffers, so that part of it is only sent when it is read.
const large = JSON.stringify({ payload: { text: 'x'.repeat(400_000) } })

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

const length = { 'content-length': large.length }
const json = { 'content-type': 'application/json' }

const refused: readonly [name: string, prepare: () => Sent | Promise<Sent>][] = [
  ['an unsigned call', () => ({ method: 'POST', headers: { ...json, ...length }, body: large })],
  ['an unsigned call in chunks', () => ({ method: 'POST', headers: json, body: large })],
  ['a method that no bridge knows', () => ({ method: 'PUT', headers: { ...json, ...length }, body: large })],
  [
    'a body over the limit',
    async () => ({
      method: 'POST',
      headers: { ...json, ...length, 'service-signature': await sign(secret, large) },
      body: large,
    }),
  ],
  [
    'a body over the limit, in chunks',
    async () => ({ method: 'POST', headers: { ...json, 'service-signature': await sign(secret, large) }, body: large }),
  ],
]

/** A proxy can send the calls of many callers over one connection, so one call must not affect the next. */
export function keptConnections(mount: Mount): void {
  describe('a kept connection', () => {
    const site = useSite(mount, { workflows, maxBodyBytes })

    test.each(refused)('serves the next call after %s', async (_name, prepare) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const { method, headers, body } = await prepare()
      try {
        for (let round = 0; round < 3; round++) {
          expect(await statusOf(agent, site.url + query, { method, headers, body })).toBeGreaterThanOrEqual(400)
          expect(await statusOf(agent, site.url, { method: 'GET', headers: {}, body: '' })).toBe(200)
        }
      } finally {
        agent.destroy()
      }
    })
  })
}

/** Sends a call over the agent's only connection. */
function statusOf(agent: Agent, url: string, { method, headers, body }: Sent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    call.setTimeout(patienceMs, () => call.destroy(new Error(`no answer within ${patienceMs} ms`)))
    call.on('error', reject)
    // Written before the request is ended, so that a body without a length is sent in chunks.
    if (body !== '') call.write(body)
    call.end()
  })
}
