import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('a subscriber that is deleted on %s', (driver) => {
  test.for(['/v1/subscribers', '/v2/subscribers'])('is sent nothing any more: DELETE %s', async (path, context) => {
    const { call } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    for (const subscriberId of ['ada', 'bob']) {
      const to = { subscriberId, email: `${subscriberId}@example.com` }
      await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: {} })
    }
    const runs = async () => (await call('GET', '/v1/studio/runs')).body.data
    await expect.poll(async () => JSON.stringify(await runs()), { timeout: 10_000 }).toMatch(/delayed.*delayed/)

    expect((await call('DELETE', `${path}/ada`)).status).toBe(200)
    expect((await call('DELETE', `${path}/ada`)).status).toBe(404)
    const [ada, bob] = (await runs()).toSorted((left: { subscriberId: string }, right: { subscriberId: string }) =>
      left.subscriberId < right.subscriberId ? -1 : 1,
    )
    expect([ada.status, bob.status]).toEqual(['canceled', 'running'])
    expect(ada.steps.map(({ status }: { status: string }) => status)).toEqual(['completed', 'canceled', 'canceled'])
    const { body: notifications } = await call('GET', '/v1/notifications')
    const recipients = notifications.data.map(({ to }: { to: { subscriberId: string } }) => to)
    expect(recipients).toContainEqual({ subscriberId: 'ada' })
    expect(JSON.stringify(recipients)).toContain('bob@example.com')
    expect(JSON.stringify(recipients)).not.toContain('ada@example.com')
  })
})
