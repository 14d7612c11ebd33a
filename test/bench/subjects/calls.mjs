import { createHmac } from 'node:crypto'
import { headerOf, secret } from './apps.mjs'
import { cases } from './cases.mjs'

const bodiesPerCase = 16

/**
 * Returns a function that creates the calls of a case in turn, each with a new signature.
 *
 * @returns {(options?: { key?: string, atMs?: number }) => { index: number, method: string, path: string, headers:
 *   Record<string, string>, body: string | undefined }}
 */
export function createCalls(subject, name) {
  const { query, body, fresh } = cases[name]
  const texts = body && Array.from({ length: bodiesPerCase }, (_, index) => JSON.stringify(body(index)))
  let count = 0
  return ({ key = secret, atMs = Date.now() } = {}) => {
    const index = count % bodiesPerCase
    const round = Math.floor(count++ / bodiesPerCase)
    const text = fresh ? JSON.stringify(body(index, round)) : texts?.[index]
    const mac = createHmac('sha256', key)
      .update(`${atMs}.${text ?? '{}'}`)
      .digest('hex')
    return {
      index,
      method: text === undefined ? 'GET' : 'POST',
      path: `/api?${query}`,
      headers: {
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        [headerOf(subject)]: `t=${atMs},v1=${mac}`,
      },
      body: text,
    }
  }
}

/**
 * Checks every kind of response before the measurement: valid ones, and the rejection of a wrong signature.
 *
 * @param {(call: object) => Promise<{ status: number, body: string }>} send
 */
export async function checkAnswers(subject, name, send) {
  const next = createCalls(subject, name)
  for (let count = 0; count < bodiesPerCase; count++) {
    const call = next()
    const { status, body } = await send(call)
    if (status !== 200 || !cases[name].isRight(JSON.parse(body), call.index))
      throw new Error(`${subject}, ${name}: ${status} ${body.slice(0, 2000)}`)
  }
  for (const wrong of [{ key: 'another-secret' }, { atMs: Date.now() - 360_000 }]) {
    const { status } = await send(next(wrong))
    if (status !== 401) throw new Error(`${subject} served a call that is not signed rightly: ${status}`)
  }
}
