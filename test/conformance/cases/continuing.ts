import { describe, expect, test } from 'vitest'
import type { Answer } from '../call.ts'
import { event, stored, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

/** Continuing a run: bridge protocol, "Continuing a run". */
export function continuing(mount: Mount): void {
  describe('continuing a run', () => {
    const site = useSite(mount, { workflows, timeoutMs: 1500 })
    const next = (workflowId: string, body: object = {}, stepId?: string): Promise<Answer> =>
      site.call({
        query: { action: 'execute', workflowId, ...(stepId !== undefined && { stepId }) },
        body: { ...event, next: true, ...body },
      })
    const order = { id: '7' }
    const unread = { seen: true, read: false, lastSeenDate: null, lastReadDate: null }
    const results: Record<string, object> = { in_app: unread, delay: { duration: 1 } }

    test('announces the capability at discovery', async () => {
      const { json } = await site.call({ method: 'GET', query: { action: 'discover' } })
      expect(json.capabilities).toEqual(['next'])
    })

    test('runs a sequence step by step, and reports its end', async () => {
      const ran: string[] = []
      const state: object[] = []
      for (;;) {
        const { status, json } = await next('order', { payload: order, state })
        expect(status).toBe(200)
        if (json.done) break
        ran.push(json.step.stepId)
        state.unshift(stored(json.step.stepId, results[json.step.type] ?? {}))
      }
      expect(ran).toEqual(['inbox', 'wait', 'mail'])
    })

    test('returns parallel steps, which are called by id', async () => {
      const urgent = { payload: { urgent: true } }
      const { json } = await next('branches', urgent)
      expect(json.open).toEqual([
        { stepId: 'left', type: 'push' },
        { stepId: 'right', type: 'chat' },
      ])
      const taken = json.open.map(({ stepId }: { stepId: string }) => ({ stepId }))
      const [left, right] = await Promise.all(
        ['left', 'right'].map((stepId) => next('branches', { ...urgent, taken }, stepId)),
      )
      expect([left?.json.outputs, right?.json.outputs]).toEqual([{ subject: 'left', body: 'left' }, { body: 'right' }])
      const state = [stored('right', {}), stored('left', {})]
      expect((await next('branches', { ...urgent, state })).json.step).toEqual({ stepId: 'urgent', type: 'sms' })
    })

    test('needs no call for a condition that is false', async () => {
      const state = [stored('right', {}), stored('left', {})]
      expect((await next('branches', { payload: { urgent: false }, state })).json.done).toBe(true)
    })

    test('reports a missing step id as StepNotFoundError without next', async () => {
      const { status, json } = await next('order', { payload: order, next: false })
      expect([status, json.code]).toEqual([404, 'StepNotFoundError'])
    })

    test('ignores the fields for continuing in a preview', async () => {
      const { status } = await site.call({
        query: { action: 'preview', workflowId: 'order', stepId: 'inbox' },
        body: { ...event, next: 'x', taken: 1, wait: 'y' },
      })
      expect(status).toBe(200)
    })
  })
}
