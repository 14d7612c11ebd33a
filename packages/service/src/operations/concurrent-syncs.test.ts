import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../store/stores.fixture.ts'
import { serveBridge } from './bridge.fixture.ts'
import { startTestService, type TestService } from './service.fixture.ts'

const rounds = 10

/** Serves a bridge with workflows of these names. */
async function serveNamed(...names: readonly string[]): Promise<string> {
  const bridge = await serveBridge()
  const usual = (await (await fetch(`${bridge.url}?action=discover`)).json()) as { readonly workflows: JsonObject[] }
  const workflows = names.map((workflowId) => ({ ...usual.workflows[0], workflowId }))
  bridge.answer('discover', { status: 200, body: { workflows, agents: [] } })
  return bridge.url
}

const sync = async ({ call }: TestService, bridgeUrl: string): Promise<number> =>
  (await call('POST', '/v1/bridge/sync', { bridgeUrl })).status

async function workflowsOf({ call }: TestService): Promise<readonly string[]> {
  const { workflows } = (await call('GET', '/v2/workflows?limit=100')).body
  return workflows.map(({ workflowId }: { workflowId: string }) => workflowId).sort()
}

describe.each(bothDrivers)('concurrent syncs (%s)', (driver) => {
  test('all succeed, including the first ones', async (context) => {
    const service = await startTestService(driver, context)
    const url = await serveNamed('a', 'b')
    expect(await Promise.all([1, 2, 3].map(() => sync(service, url)))).toEqual([201, 201, 201])
    expect(await workflowsOf(service)).toEqual(['a', 'b'])
  })

  test('of two bridges keep the workflows of the bridge that is stored last', async (context) => {
    const service = await startTestService(driver, context)
    const bridges = { [await serveNamed('a', 'b')]: ['a', 'b'], [await serveNamed('b', 'c')]: ['b', 'c'] }
    for (let round = 0; round < rounds; round++) {
      const statuses = await Promise.all(Object.keys(bridges).map((url) => sync(service, url)))
      expect(statuses).toEqual([201, 201])
      const { body } = await service.call('GET', '/v1/environments/me')
      expect(await workflowsOf(service), `round ${round}`).toEqual(bridges[body.data.bridge.url])
    }
  })

  test('keep a workflow inactive that is disabled during a sync', async (context) => {
    const service = await startTestService(driver, context)
    const url = await serveNamed('a', 'b')
    await sync(service, url)
    const set = (active: boolean) => service.call('PATCH', '/v2/workflows/a', { active })
    for (let round = 0; round < 2 * rounds; round++) {
      await set(true)
      const switchOff = async () => {
        await sleep(round)
        return (await set(false)).status
      }
      expect(await Promise.all([sync(service, url), switchOff()])).toEqual([201, 200])
      expect((await service.call('GET', '/v2/workflows/a')).body.active, `round ${round}`).toBe(false)
    }
  })
})
