import { describe, expect, test } from 'vitest'
import { addMessages } from '../../messages/list-messages.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const step = (fields: object) => ({ name: 'inbox', type: 'in_app', controlValues: { body: 'Hello', ...fields } })
const feedPath = '/v1/subscribers/ada/notifications/feed'

describe.each(drivers)('feeds (%s)', (driver) => {
  test('contain messages of the steps and triggers that name them', async (context) => {
    const { call } = await startTestService(driver, context, { work: true })
    const create = async (name: string) => (await call('POST', '/v1/feeds', { name })).body.data
    const [news, offers] = [await create('News'), await create('Offers')]
    const v2 = { name: 'Second', workflowId: 'second', active: true, steps: [step({ feedId: news.identifier })] }
    expect((await call('POST', '/v2/workflows', v2)).status).toBe(201)
    const { data: groups } = (await call('GET', '/v1/notification-groups')).body
    const v1 = {
      ...{ name: 'First', active: true, notificationGroupId: groups[0]._id },
      steps: [{ template: { type: 'in_app', content: 'Hi', feedId: news._id } }],
    }
    const first = (await call('POST', '/v1/workflows', v1)).body.data.triggers[0].identifier
    const send = async (name: string, overrides: object = {}): Promise<void> => {
      expect((await call('POST', '/v1/events/trigger', { name, to: 'ada', overrides })).status).toBe(201)
    }
    await send('second')
    await send(first)
    await send('second', { steps: { inbox: { feedId: offers._id } } })
    await send('second', { channels: { in_app: { feedId: offers.identifier } } })
    await send('second', { in_app: { feedId: null } })
    const count = async (query: string) => (await call('GET', `${feedPath}?${query}`)).body.data.length
    await expect.poll(() => count('limit=50'), { timeout: 10_000 }).toBe(5)
    expect([await count(`feedIdentifier=${news.identifier}`), await count(`feedIdentifier=${offers._id}`)]).toEqual([
      2, 2,
    ])
    const marked = { markAs: 'read', feedIdentifier: news._id }
    expect((await call('POST', '/v1/subscribers/ada/messages/mark-all', marked)).body).toEqual({ data: 2 })
    expect(await count('read=true')).toBe(2)
  })

  test('have different identifiers, and leave their messages when they are deleted', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const create = (name: string) => call('POST', '/v1/feeds', { name })
    const [news, offers] = [(await create('News')).body.data, (await create('Offers')).body.data]
    for (const name of ['News', 'news', ' NEWS']) {
      const { status, body } = await create(name)
      expect([name, status, body.message]).toEqual([
        ...[name, 409, 'Feed "News" already exists, with the identifier news.'],
      ])
    }
    const both = await Promise.all(['Sale', 'sale', 'SALE'].map(create))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const ids = { n: news._id, o: offers._id }
    for (const [prefix, feedId] of Object.entries(ids))
      await addMessages(service.store, { prefix, count: 3 }, { environmentId, feedId })
    expect((await call('DELETE', `/v1/feeds/${news._id}`)).body.data).toHaveLength(2)
    const rows = await service.store.db.selectFrom('messages').select('feedId').orderBy('id').execute()
    expect(rows.map(({ feedId }) => feedId)).toEqual([null, null, null, offers._id, offers._id, offers._id])
  })

  test('are rejected if they are named but do not exist', async (context) => {
    const { call } = await startTestService(driver, context)
    const named = 'does not exist in this environment'
    const response = await call('POST', '/v2/workflows', {
      name: 'W',
      workflowId: 'w',
      active: true,
      steps: [step({})],
    })
    expect(response.status).toBe(201)
    const refused: readonly [string, string, object, number, string][] = [
      ['POST', '/v2/workflows', { name: 'X', workflowId: 'x', steps: [step({ feedId: 'none' })] }, 422, named],
      ['POST', '/v2/workflows', { name: 'X', workflowId: 'x', steps: [step({ feedId: 7 })] }, 422, 'must be'],
      ['PUT', '/v1/bridge/controls/w/inbox', { variables: { feedId: 'none' } }, 422, named],
      ['POST', '/v1/events/trigger', { name: 'w', to: 'a', overrides: { in_app: { feedId: 'none' } } }, 422, named],
      [
        'POST',
        '/v1/events/trigger',
        { name: 'w', to: 'a', overrides: { steps: { x: { feedId: '' } } } },
        422,
        'must be',
      ],
      ['GET', `${feedPath}?feedIdentifier=none`, {}, 404, 'none'],
      ['DELETE', '/v1/feeds/none', {}, 404, 'none'],
    ]
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    for (const [method, path, body, status, text] of refused) {
      const answer = await call(method, path, method === 'POST' || method === 'PUT' ? body : undefined)
      expect([path, answer.status]).toEqual([path, status])
      expect(JSON.stringify(answer.body)).toContain(text)
    }
    const events = [
      { name: 'w', to: 'a', overrides: { in_app: { feedId: 'none' } } },
      { name: 'w', to: 'a' },
    ]
    const { body } = await call('POST', '/v1/events/trigger/bulk', { events })
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['error', 'processed'])
  })
})
