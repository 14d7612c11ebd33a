import { beforeAll, describe, expect, test, vi } from 'vitest'
import { workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { sendRaw } from '../raw.ts'
import { type Site, useSite } from '../site.ts'
import { bodiless, maxBodyBytes, type Place, post, rawCases } from './raw-cases.ts'

const timeoutMs = 250
const silentAfterMs = 500
const patienceMs = 3000

async function expectAlive(site: Site): Promise<void> {
  const { status } = await site.call({ signature: null })
  expect(status).toBe(200)
}

/** What a caller can do with a socket: protocol 2, last paragraph. */
export function sockets(mount: Mount): void {
  describe('sockets', () => {
    const site = useSite(mount, { workflows, timeoutMs, maxBodyBytes })
    const patientSite = useSite(mount, { workflows, timeoutMs: 60_000 })
    beforeAll(async () => {
      // The first discover loads code, which may exceed the time limit of a call on a busy machine.
      await vi.waitFor(async () => {
        const { status, text } = await site.call({ query: { action: 'discover' } })
        if (status !== 200) throw new Error(`discover was answered with ${status}: ${text}`)
      }, 10_000)
    })
    const place = (): Place => {
      const { pathname: path } = new URL(site.url)
      return { path, echo: `${path}?action=execute&workflowId=echo&stepId=tell` }
    }

    test.each(rawCases)('$name', async ({ name, send, lostWhenParsed, ...row }) => {
      const lost = lostWhenParsed && mount.body === 'parsed'
      const { status, code } = lost ? { status: 401, code: 'SignatureMismatchError' } : row
      const front = mount.inFront[name]
      const waitMs = front?.answers.includes('silent') ? silentAfterMs : patienceMs
      const answer = await sendRaw(site.url, await send(place()), waitMs)
      if (front) expect(front.answers, `${front.reason}; it was`).toContain(answer.status)
      else {
        expect([answer.status, answer.json?.code]).toEqual([status, code ?? answer.json?.code])
        if (typeof answer.status === 'number') expect(answer.json).toBeTypeOf('object')
        if (typeof answer.status === 'number') expect(answer.status).toBeLessThan(500)
      }
      await expectAlive(site)
    })

    test('responds to a rejected call without waiting for its body', async () => {
      if (mount.inFront['body of a refused call never sent']) return
      const answer = await sendRaw(patientSite.url, await bodiless(place(), ['content-length: 1000']), 20_000)
      expect(answer.status).toBeTypeOf('number')
    })

    test('leaves no connection open after a hundred callers that disconnect halfway', async () => {
      const good = JSON.stringify({ payload: {} })
      const pieces = await post(place(), good)
      await Promise.all(
        Array.from({ length: 100 }, () => sendRaw(site.url, [...pieces.slice(0, 1), good.slice(0, 5)], 20)),
      )
      await expectAlive(site)
    })
  })
}
