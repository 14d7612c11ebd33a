import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { removeEnvironment } from '../operations/environments/remove-environment.ts'
import { createId } from '../store/create-id.ts'
import type { Store } from '../store/store.ts'
import { createStore } from '../store/stores.fixture.ts'
import { loadKept } from './kept-choices.ts'
import { syncBridge } from './sync-bridge.ts'

let answer: { readonly status: number; readonly body: unknown } = { status: 200, body: {} }
const server = createServer((_request, response) => {
  response.statusCode = answer.status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer.body))
})
let bridgeUrl = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`
})
afterAll(() => server.close())

const environmentId = createId(0)
const target = {
  environmentId,
  name: 'Development',
  type: 'dev',
  secretKey: 'k',
  bridgeUrl: null,
  variables: {},
  secretKeys: [],
  secrets: [],
} as const
const step = (stepId: string, type = 'email') => ({ stepId, type, controls: { schema: {} } })
const workflow = (workflowId: string, ...steps: object[]) => ({ workflowId, steps })

async function open(context: Parameters<typeof createStore>[1]): Promise<Store> {
  const store = await createStore('sqlite', context)
  const rest = { parentId: null, color: null, syncedAt: null, extra: '{}', createdAt: 0, updatedAt: 0 }
  await store.db
    .insertInto('environments')
    .values({ id: environmentId, name: 'Development', applicationIdentifier: 'a', bridgeUrl: 'http://old', ...rest })
    .execute()
  return store
}

const sync = (store: Store) =>
  syncBridge(
    { store, clock: systemClock, settings: { policy: 'off', sleep: async () => undefined } },
    target,
    bridgeUrl,
  )
const discovers = (...workflows: object[]) => {
  answer = { status: 200, body: { workflows, agents: [] } }
}

test('takes over a payload without a schema, and leaves out warnings that are none', async (context) => {
  const store = await open(context)
  discovers({ ...workflow('a', step('s')), payload: {}, warnings: [null, 7, { code: 'W', message: 'one' }] })
  expect(await sync(store)).toMatchObject([{ identifier: 'a', payloadSchema: null }])
  expect(await store.db.selectFrom('workflowWarnings').select('code').execute()).toEqual([{ code: 'W' }])
})

test('takes over what the bridge lists, keeps what was set, and removes what has left', async (context) => {
  const store = await open(context)
  discovers(
    {
      ...workflow('stays', step('a'), step('b')),
      warnings: [
        { code: 'W', message: 'one' },
        { code: 'W', message: 'two' },
      ],
    },
    workflow('leaves', step('a')),
  )
  const [stays, leaves] = await sync(store)
  await store.db
    .updateTable('workflows')
    .set({ active: 0, userPreferences: '{"all":{}}' })
    .where('identifier', '=', 'stays')
    .execute()
  for (const { id } of [stays, leaves] as { id: string }[])
    await store.db
      .insertInto('stepControls')
      .values({ workflowId: id, stepId: 'a', environmentId, controls: '{"x":1}', updatedAt: 0 })
      .execute()
  const warnings = () => store.db.selectFrom('workflowWarnings').select(['code', 'message', 'count']).execute()
  expect(await warnings()).toEqual([{ code: 'W', message: 'one\ntwo', count: 2 }])

  discovers(workflow('new'), workflow('stays', step('b'), step('c', 'sms')))
  const rows = await sync(store)
  expect(rows.map(({ identifier, active }) => [identifier, active])).toEqual([
    ['new', 1],
    ['stays', 0],
  ])
  expect(rows[1]).toMatchObject({ id: stays?.id, userPreferences: '{"all":{}}' })
  const stepIds = (text = '[]') =>
    new Map((JSON.parse(text) as { stepId: string; id: string }[]).map(({ stepId, id }) => [stepId, id]))
  expect(stepIds(rows[1]?.steps).get('b')).toBe(stepIds(stays?.steps).get('b'))
  expect([...stepIds(rows[1]?.steps).keys()]).toEqual(['b', 'c'])
  const stored = await store.db.selectFrom('workflows').select('identifier').orderBy('identifier').execute()
  expect(stored).toEqual([{ identifier: 'new' }, { identifier: 'stays' }])
  const controls = await store.db.selectFrom('stepControls').select('workflowId').orderBy('workflowId').execute()
  // The second is kept, should the workflow come back.
  expect(controls).toEqual([{ workflowId: stays?.id }, { workflowId: leaves?.id }])
  expect(await warnings()).toEqual([])
  const environment = await store.db.selectFrom('environments').select('bridgeUrl').executeTakeFirst()
  expect(environment?.bridgeUrl).toBe(bridgeUrl)
})

test('leaves workflows alone that no bridge made', async (context) => {
  const store = await open(context)
  discovers(workflow('made', step('a')))
  await sync(store)
  await store.db.updateTable('workflows').set({ origin: 'api' }).execute()
  discovers()
  await sync(store)
  expect(await store.db.selectFrom('workflows').select('identifier').execute()).toEqual([{ identifier: 'made' }])
})

describe('a sync that fails changes nothing, and says', () => {
  const broken = (errors: object[]) => ({
    status: 409,
    body: {
      code: 'WorkflowAlreadyExistsError',
      message: 'Two workflows share the id "a".',
      data: { workflowId: 'a', errors },
    },
  })
  test.each([
    ['which workflow is listed twice', [workflow('a'), workflow('a')], /"a" twice/],
    ['which step is listed twice', [workflow('a', step('s'), step('s'))], /"a" cannot be stored.*"s" twice/],
    ['which step is of an unknown type', [workflow('a', step('s', 'fax'))], /"a".*"s" is of the unknown type "fax"/],
    ['which workflow has no steps at all', [{ workflowId: 'a' }], /"a".*not a list/],
    ['which entry has no id', [workflow('a'), {}], /entry 2 /],
    [
      'whose tags are not a list',
      [{ ...workflow('a'), tags: 'red' }],
      /"a" cannot be stored: its tags are not a list of/,
    ],
    ['whose tags are not texts', [workflow('b'), { ...workflow('a'), tags: [5, null] }], /"a".*its tags/],
    ['whose tags cannot be stored', [{ ...workflow('a'), tags: ['a\u0000'] }], /"a".*its tags/],
    ['whose name is not a text', [{ ...workflow('a'), name: 5 }], /"a".*its name is not a text/],
    ['whose description is not a text', [{ ...workflow('a'), description: {} }], /"a".*its description/],
    ['whose severity is not a text', [{ ...workflow('a'), severity: 1 }], /"a".*its severity/],
    ['whose payload is not an object', [{ ...workflow('a'), payload: 5 }], /"a".*the payload must be an object/],
    ['whose schema is none', [{ ...workflow('a'), payload: { schema: 'x' } }], /"a".*the schema of the payload/],
    ['whose preferences are none', [{ ...workflow('a'), preferences: 'all' }], /"a".*its preferences/],
    [
      'whose controls are not an object',
      [workflow('a', { ...step('s'), controls: [] } as never)],
      /"a".*the controls of the step "s" must be/,
    ],
    ['that an id cannot be shown', [workflow('a\u0000')], /entry 1 /],
  ])('%s', async (_what, workflows, message) => {
    const store = await openStored()
    discovers(...workflows)
    await expectRefusal(store, message)
  })

  test("the bridge's own message", async () => {
    answer = broken([{ workflowId: 'a' }])
    await expectRefusal(await openStored(), /^Two workflows share the id "a"\.$/)
  })

  test('every broken workflow by name', async () => {
    answer = broken([{ workflowId: 'a' }, { workflowId: 'b' }])
    await expectRefusal(await openStored(), /^Two workflows share the id "a"\. Broken workflows: "a", "b"\.$/)
  })

  let stored: Store | undefined
  const ends: (() => unknown)[] = []
  const context = { onTestFinished: (end: () => unknown) => ends.unshift(end), skip: () => undefined }
  afterAll(async () => {
    for (const end of ends) await end()
  })
  async function openStored(): Promise<Store> {
    if (stored) return stored
    stored = await open(context as unknown as Parameters<typeof createStore>[1])
    discovers(workflow('before', step('a')))
    await sync(stored)
    await stored.db.updateTable('environments').set({ bridgeUrl: 'http://old' }).execute()
    return stored
  }

  async function expectRefusal(store: Store, message: RegExp): Promise<void> {
    await expect(sync(store)).rejects.toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
    expect(await store.db.selectFrom('workflows').select('identifier').execute()).toEqual([{ identifier: 'before' }])
    expect(await store.db.selectFrom('environments').select('bridgeUrl').executeTakeFirst()).toEqual({
      bridgeUrl: 'http://old',
    })
  }
})

test('what was set for a workflow waits for it while its bridge does not list it', async (context) => {
  const store = await open(context)
  const own = workflow('a', step('s'))
  discovers(own, workflow('b', step('s')))
  const [{ id = '' } = {}] = await sync(store)
  const at = { environmentId, workflowId: id, createdAt: 0, updatedAt: 0 }
  const chosen = { subscriberId: 'ada', contextKey: '', enabled: null, channels: '{"email":false}', schedule: null }
  const controls = { environmentId, workflowId: id, stepId: 's', controls: '{"subject":"mine"}', updatedAt: 0 }
  const override = { tenantId: 'acme', active: 0, preferenceSettings: '{"sms":false}' } as const
  const group = { id: createId(0), environmentId, name: 'Mine', createdAt: 0, updatedAt: 0 }
  const set = {
    active: 0,
    critical: 1,
    validatePayload: 1,
    groupId: group.id,
    userPreferences: '{"all":{}}',
    extra: '{"x":1}',
    lastTriggeredAt: 7,
  } as const
  await store.db.insertInto('workflowGroups').values(group).execute()
  await store.db
    .insertInto('preferences')
    .values({ id: createId(0), ...at, ...chosen })
    .execute()
  await store.db.insertInto('stepControls').values(controls).execute()
  await store.db
    .insertInto('workflowOverrides')
    .values({ id: createId(0), ...at, ...override })
    .execute()
  await store.db.updateTable('workflows').set(set).where('id', '=', id).execute()
  const leave = async () => {
    discovers(workflow('b', step('s')))
    await sync(store)
    expect(await store.db.selectFrom('workflows').select('identifier').execute()).toEqual([{ identifier: 'b' }])
  }
  const back = async () => {
    discovers({ ...own, name: 'New name' }, workflow('b', step('s')))
    return (await sync(store))[0]
  }
  for (let gaps = 0; gaps < 2; gaps++) {
    await leave()
    expect(await back()).toMatchObject({ id, ...set, name: 'New name', createdAt: expect.any(Number) })
    expect(await store.db.selectFrom('preferences').selectAll().execute()).toMatchObject([{ ...at, ...chosen }])
    expect(await store.db.selectFrom('stepControls').selectAll().execute()).toEqual([controls])
    expect(await store.db.selectFrom('workflowOverrides').selectAll().execute()).toMatchObject([{ ...at, ...override }])
  }
  // Nobody keeps a group from being deleted that no workflow is in.
  await leave()
  await store.db.deleteFrom('workflowGroups').where('id', '=', group.id).execute()
  expect(await back()).toMatchObject({ id, active: 0, groupId: null })
  // Nothing is left of it once it is back, and nothing of an environment that is removed.
  expect((await loadKept(store.db, environmentId, ['a'])).size).toBe(0)
  await leave()
  expect([...(await loadKept(store.db, environmentId, ['a'])).keys()]).toEqual(['a'])
  await store.transaction((tx) => removeEnvironment(tx, environmentId))
  expect((await loadKept(store.db, environmentId, ['a'])).size).toBe(0)
})
