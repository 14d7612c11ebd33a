import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StepManifest } from '@trestle/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { removeEnvironment } from '../operations/environments/remove-environment.ts'
import { createId } from '../store/create-id.ts'
import type { StoredStep } from '../store/schema/workflow.ts'
import type { Store } from '../store/store.ts'
import { createStore } from '../store/stores.fixture.ts'
import { syncBridge } from './sync-bridge.ts'
import { loadSyncStatus } from './sync-status.ts'
import { loadKept } from './workflows/kept-choices.ts'
import { toKnownManifest } from './workflows/known-manifest.ts'
import { learnSteps } from './workflows/learn-steps.ts'

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

test('accepts a payload without a schema, and drops invalid warnings', async (context) => {
  const store = await open(context)
  discovers({ ...workflow('a', step('s')), payload: {}, warnings: [null, 7, { code: 'W', message: 'one' }] })
  expect(await sync(store)).toMatchObject([{ identifier: 'a', payloadSchema: null }])
  expect(await store.db.selectFrom('workflowWarnings').select('code').execute()).toEqual([{ code: 'W' }])
})

test('stores listed workflows, keeps settings, and removes missing workflows', async (context) => {
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
  // The second workflow's settings are kept in case it is added again.
  expect(controls).toEqual([{ workflowId: stays?.id }, { workflowId: leaves?.id }])
  expect(await warnings()).toEqual([])
  const environment = await store.db.selectFrom('environments').select('bridgeUrl').executeTakeFirst()
  expect(environment?.bridgeUrl).toBe(bridgeUrl)
})

test('stores the events that cancel runs, until they are removed', async (context) => {
  const store = await open(context)
  const cancelOn = [{ event: 'order.paid', match: { orderId: 'id' } }]
  discovers({ ...workflow('a', step('s')), cancelOn })
  expect(await sync(store)).toMatchObject([{ cancelOn: JSON.stringify(cancelOn) }])
  for (const rest of [{ cancelOn: [] }, {}, { cancelOn: null }]) {
    discovers({ ...workflow('a', step('s')), ...rest })
    expect(await sync(store)).toMatchObject([{ cancelOn: null }])
  }
})

test('keeps workflows that no bridge created', async (context) => {
  const store = await open(context)
  discovers(workflow('made', step('a')))
  await sync(store)
  await store.db.updateTable('workflows').set({ origin: 'api' }).execute()
  discovers()
  await sync(store)
  expect(await store.db.selectFrom('workflows').select('identifier').execute()).toEqual([{ identifier: 'made' }])
})

describe('a failed sync changes nothing and reports', () => {
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
    ['which step is of an unknown type', [workflow('a', step('s', 'fax'))], /"a".*"s" has the unknown type "fax"/],
    ['which workflow has no steps at all', [{ workflowId: 'a' }], /"a".*not a list/],
    ['which entry has no id', [{}], /Entry 1 /],
    [
      'whose tags are not a list',
      [{ ...workflow('a'), tags: 'red' }],
      /"a" cannot be stored: its tags are not a list of/,
    ],
    [
      'whose events to cancel on are not a list',
      [{ ...workflow('a'), cancelOn: { event: 'e' } }],
      /"a" cannot be stored: its cancelOn is invalid: must be a list/,
    ],
    ['whose tags are not texts', [{ ...workflow('a'), tags: [5, null] }], /"a".*its tags/],
    ['whose tags cannot be stored', [{ ...workflow('a'), tags: ['a\u0000'] }], /"a".*its tags/],
    ['whose name is not a text', [{ ...workflow('a'), name: 5 }], /"a".*its name is not a string/],
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
    ['that an id cannot be shown', [workflow('a\u0000')], /Entry 1 /],
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

describe('a sync with some failing workflows stores the others, and reports the failing ones', () => {
  const stored = async (store: Store) => {
    const rows = await store.db.selectFrom('workflows').select(['identifier', 'name']).orderBy('identifier').execute()
    return rows.map(({ identifier, name }) => `${identifier}: ${name}`)
  }
  const urlOf = async (store: Store) =>
    (await store.db.selectFrom('environments').select('bridgeUrl').executeTakeFirst())?.bridgeUrl
  const old = () => discovers(workflow('a', step('s')), workflow('b', step('s')), workflow('leaves', step('s')))
  const fresh = { ...workflow('a', step('s')), name: 'new' }

  test('if the bridge cannot describe them', async (context) => {
    const store = await open(context)
    old()
    await sync(store)
    const errors = [{ workflowId: 'b', code: 'WorkflowDiscoveryFailedError', message: 'broken' }]
    const body = {
      code: 'WorkflowDiscoveryFailedError',
      message: 'Workflow "b" failed.',
      data: { errors, workflows: [fresh] },
    }
    answer = { status: 500, body }
    const message = 'Workflow "b" failed. The other workflow was synced.'
    await expect(sync(store)).rejects.toMatchObject({ status: 400, body: { message } })
    expect(await stored(store)).toEqual(['a: new', 'b: b'])
    expect(await urlOf(store)).toBe(bridgeUrl)
    const status = await loadSyncStatus(store.db, environmentId)
    expect(status?.error).toMatchObject({ message: 'Workflow "b" failed.', data: { errors } })
  })

  test('if they cannot be stored', async (context) => {
    const store = await open(context)
    old()
    await sync(store)
    discovers(fresh, { ...workflow('b'), tags: 'red' }, workflow('new', step('s')))
    const message =
      'The workflow "b" cannot be stored: its tags are not a list of strings. The other 2 workflows were synced.'
    await expect(sync(store)).rejects.toMatchObject({ status: 400, body: { message } })
    expect(await stored(store)).toEqual(['a: new', 'b: b', 'new: new'])
  })

  test('and removes none if a failing workflow has no id', async (context) => {
    const store = await open(context)
    old()
    await sync(store)
    discovers(fresh, {})
    await expect(sync(store)).rejects.toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Entry 2') },
    })
    expect(await stored(store)).toEqual(['a: new', 'b: b', 'leaves: leaves'])
  })

  test('and stores neither of two with the same id', async (context) => {
    const store = await open(context)
    old()
    await sync(store)
    discovers(fresh, workflow('b', step('x')), workflow('b', step('y')), workflow('b', step('z')))
    await expect(sync(store)).rejects.toMatchObject({ body: { message: expect.stringContaining('"b" twice') } })
    expect(await stored(store)).toEqual(['a: new', 'b: b'])
    const b = await store.db.selectFrom('workflows').select('steps').where('identifier', '=', 'b').executeTakeFirst()
    expect(JSON.parse(b?.steps ?? '[]')).toMatchObject([{ stepId: 's' }])
  })
})

describe('whether a bridge decides the next steps of a run', () => {
  const nexts = async (store: Store) => {
    const rows = await store.db.selectFrom('workflows').select(['identifier', 'next']).orderBy('identifier').execute()
    return rows.map(({ identifier, next }) => `${identifier}: ${next}`)
  }
  const answers = (more: object) => {
    answer = { status: 200, body: { workflows: [workflow('a', step('s'))], agents: [], ...more } }
  }

  test('is stored with its workflows at each sync', async (context) => {
    const store = await open(context)
    for (const [more, next] of [
      [{ capabilities: ['next'] }, 1],
      [{}, 0],
      [{ capabilities: ['other', 'next'] }, 1],
      [{ capabilities: 'next' }, 0],
      [{ capabilities: ['next'] }, 1],
      [{ capabilities: null }, 0],
    ] as const) {
      answers(more)
      await sync(store)
      expect(await nexts(store)).toEqual([`a: ${next}`])
    }
  })

  test('stays unchanged if the response does not include it', async (context) => {
    const store = await open(context)
    const fails = (more: object = {}) => {
      const data = { errors: [{ workflowId: 'b' }], workflows: [workflow('c', step('s'))], ...more }
      answer = { status: 500, body: { code: 'WorkflowDiscoveryFailedError', message: 'Workflow "b" failed.', data } }
    }
    fails()
    await expect(sync(store)).rejects.toThrow()
    expect(await nexts(store)).toEqual(['c: 0'])
    fails({ capabilities: ['next'] })
    await expect(sync(store)).rejects.toThrow()
    expect(await nexts(store)).toEqual(['c: 1'])
    fails()
    await expect(sync(store)).rejects.toThrow()
    expect(await nexts(store)).toEqual(['c: 1'])
  })
})

describe('steps learned from runs', () => {
  const schema = (title: string) => ({ schema: { title } })
  const manifest = (stepId: string, title: string, more: object = {}) => {
    const parts = { controls: schema(title), outputs: schema(title), results: schema(title), providers: [] }
    return {
      stepId,
      type: 'email',
      ...parts,
      options: { disableOutputSanitization: false },
      conditional: false,
      parallelGroup: 0,
      ...more,
    } as StepManifest
  }
  const byText = (stepId: string) => manifest(stepId, '', { controls: { schema: {} }, reached: false })
  const stepsOf = async (store: Store) => {
    const row = await store.db.selectFrom('workflows').select('steps').executeTakeFirst()
    const steps = JSON.parse(row?.steps ?? '[]') as readonly StoredStep[]
    return steps.map(({ stepId, controlSchema, extra }) => {
      const flags = [...('learned' in extra ? ['learned'] : []), ...('reached' in extra ? ['by text'] : [])]
      return [stepId, controlSchema['title'] ?? '', ...flags].join(' ')
    })
  }
  const learn = (store: Store, manifests: readonly StepManifest[]) =>
    store.transaction(async (tx) => {
      const { id } = await tx.selectFrom('workflows').select('id').executeTakeFirstOrThrow()
      await learnSteps(tx, { workflowId: id, manifests, nowMs: 0 })
    })

  test('stay, with their row ids, while the list may lack steps', async (context) => {
    const store = await open(context)
    discovers(workflow('w', manifest('a', 'one'), byText('b')))
    await sync(store)
    expect(await stepsOf(store)).toEqual(['a one', 'b  by text'])
    await learn(store, [manifest('b', 'two'), manifest('c', 'three')])
    expect(await stepsOf(store)).toEqual(['a one', 'b two', 'c three learned'])
    await sync(store)
    expect(await stepsOf(store)).toEqual(['a one', 'b two', 'c three learned'])
    discovers(workflow('w', manifest('a', 'changed'), byText('b'), byText('c')))
    await sync(store)
    expect(await stepsOf(store)).toEqual(['a changed', 'b two', 'c three'])
    discovers(workflow('w', byText('a'), manifest('b', 'new')))
    await sync(store)
    expect(await stepsOf(store)).toEqual(['a changed', 'b new'])
  })

  test('are shown with the workflow as its bridge described it', async (context) => {
    const store = await open(context)
    discovers({ ...workflow('w', manifest('a', 'one'), byText('b'), byText('c')), name: 'W' })
    await sync(store)
    await learn(store, [manifest('b', 'two'), manifest('d', 'four')])
    const row = await store.db.selectFrom('workflows').selectAll().executeTakeFirstOrThrow()
    expect(toKnownManifest(row)).toEqual({
      ...{ workflowId: 'w', name: 'W' },
      steps: [manifest('a', 'one'), manifest('b', 'two'), byText('c'), { ...manifest('d', 'four'), learned: true }],
    })
    expect(toKnownManifest({ ...row, manifest: null })).toEqual({ workflowId: 'w', name: 'W', steps: [] })
  })

  test('are removed by a complete list, and a step of another type counts as a different step', async (context) => {
    const store = await open(context)
    discovers(workflow('w', manifest('a', 'one')))
    await sync(store)
    await learn(store, [manifest('b', 'two')])
    discovers({ ...workflow('w', { ...byText('a'), type: 'sms' }), complete: true })
    await sync(store)
    expect(await stepsOf(store)).toEqual(['a  by text'])
  })

  test('are limited in number, because ids can come from data', async (context) => {
    const store = await open(context)
    discovers(workflow('w', manifest('a', 'one')))
    await sync(store)
    for (let n = 0; n < 60; n++) await learn(store, [manifest(`mail-${n}`, `${n}`)])
    await learn(store, [manifest('a', 'known'), manifest('mail-3', 'again')])
    const steps = await stepsOf(store)
    expect(steps).toHaveLength(51)
    expect(steps.slice(0, 5)).toEqual([
      'a known',
      'mail-0 0 learned',
      'mail-1 1 learned',
      'mail-2 2 learned',
      'mail-3 again learned',
    ])
  })
})

test('keeps settings of a workflow while its bridge does not list it', async (context) => {
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
  // An unused group can still be deleted.
  await leave()
  await store.db.deleteFrom('workflowGroups').where('id', '=', group.id).execute()
  expect(await back()).toMatchObject({ id, active: 0, groupId: null })
  // The kept settings are removed once the workflow is added again, or when the environment is deleted.
  expect((await loadKept(store.db, environmentId, ['a'])).size).toBe(0)
  await leave()
  expect([...(await loadKept(store.db, environmentId, ['a'])).keys()]).toEqual(['a'])
  await store.transaction((tx) => removeEnvironment(tx, { add: async () => undefined }, environmentId))
  expect((await loadKept(store.db, environmentId, ['a'])).size).toBe(0)
})
