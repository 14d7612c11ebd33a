import { createHmac } from 'node:crypto'
import { secret } from './subjects.mjs'

const bodiesPerCase = 16

/**
 * Bodies of an execute call with so many steps, all different.
 *
 * @param {number} steps
 */
export function toBodies(steps) {
  return Array.from({ length: bodiesPerCase }, (_, body) =>
    JSON.stringify({
      payload: { id: `order-${body}`, total: 12.5, items: [{ sku: 'a', count: 2 }] },
      controls: {},
      state: Array.from({ length: steps - 1 }, (_, index) => ({
        stepId: `s${steps - 2 - index}`,
        outputs: { duration: 3_600_000 + body },
        state: { status: 'completed' },
      })),
      subscriber: {
        subscriberId: `subscriber-${body}`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.com',
      },
      context: {},
      env: { name: 'Production', type: 'prod' },
    }),
  )
}

/**
 * Signs a body afresh and makes the request, as a server would hand it over.
 *
 * @param {string} body
 * @param {{ atMs?: number, key?: string, signed?: boolean }} [options]
 */
export function toRequest(body, { atMs = Date.now(), key = secret, signed = true } = {}) {
  const mac = createHmac('sha256', key).update(`${atMs}.${body}`).digest('hex')
  return new Request('http://127.0.0.1/api/bridge?action=execute&workflowId=many&stepId=last', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...(signed && { 'service-signature': `t=${atMs},v1=${mac}` }),
    },
    body,
  })
}
