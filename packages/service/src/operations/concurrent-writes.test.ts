import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { type Line, races } from './races.fixture.ts'
import { startTestService, type TestService } from './service.fixture.ts'

/** Sends a request line with its placeholders replaced. */
async function send({ call }: TestService, [line, body]: Line, filled: Readonly<Record<string, string>>) {
  const fill = (text: string) => Object.entries(filled).reduce((so, [name, value]) => so.replaceAll(name, value), text)
  const [method = '', path = ''] = fill(line).split(' ')
  const answer = await call(method, path, body && JSON.parse(fill(JSON.stringify(body))))
  return { status: answer.status, body: unwrap(answer.body) }
}

/** The data of a response in either version of the API; the data of a context is one of its fields. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
const unwrap = (body: any) => (body?.type === undefined ? (body?.data ?? body) : body)

describe.each(bothDrivers)('concurrent writes (%s)', (driver) => {
  test.for(races)('keep: $name', async (race, context) => {
    const service = await startTestService(driver, context)
    const environment = (await service.call('GET', '/v1/environments/me')).body.data._id
    for (let round = 0; round < (race.rounds ?? draws(2, 5)); round++) {
      const filled: Record<string, string> = { '#': `${round}`, '{env}': environment }
      for (const [index, line] of (race.before ?? []).entries()) {
        const { status, body } = await send(service, line, filled)
        expect(status, JSON.stringify(body)).toBeLessThan(300)
        filled[`{${index}}`] = body._id
      }
      const answers = await Promise.all(race.together.map((line) => send(service, line, filled)))
      const statuses = answers.map(({ status }) => status).sort()
      if (race.statuses) expect(statuses).toEqual(race.statuses)
      else expect(Math.max(...statuses), JSON.stringify(answers)).toBeLessThan(300)
      const { body } = await send(service, [`GET ${race.read}`], filled)
      expect(race.sees(body), `round ${round}`).toEqual(race.wanted)
    }
  })
  test('keep channels that are set by triggers', async (context) => {
    const service = await startTestService(driver, context, { work: true })
    const providers = ['slack', 'discord', 'mattermost']
    const steps = [{ name: 'Tell', type: 'in_app' }]
    await service.call('POST', '/v2/workflows', { name: 'News', workflowId: 'news', active: true, steps })
    const open = () =>
      service.service.store.db.selectFrom('triggers').select('status').where('status', '!=', 'done').execute()
    for (const providerId of providers)
      await service.call('POST', '/v1/integrations', { providerId, channel: 'chat', identifier: providerId })
    for (let round = 0; round < draws(2, 5); round++) {
      const subscriberId = `u${round}`
      await service.call('POST', '/v2/subscribers', { subscriberId })
      const trigger = (providerId: string) => {
        const credentials = { webhookUrl: 'https://chat.example' }
        const to = { subscriberId, channels: [{ providerId, integrationIdentifier: providerId, credentials }] }
        return service.call('POST', '/v1/events/trigger', { name: 'news', to })
      }
      await Promise.all(providers.map(trigger))
      await expect.poll(open, { timeout: 10_000 }).toEqual([])
      const { channels } = (await service.call('GET', `/v2/subscribers/${subscriberId}`)).body
      expect(channels.map((one: { providerId: string }) => one.providerId).sort()).toEqual(providers.toSorted())
    }
  })
})
