import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { agent } from '../agent/agent.ts'
import { eventBody, mount, type Service, sendEvent, startService } from './turn.fixture.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
afterEach(() => vi.unstubAllEnvs())

const slow = agent('support', {
  onMessage: async ({ reply }) => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    await reply('done')
  },
})

test.each(['option', 'call'])('keeps the runtime active until the turn has replied: %s', async (where) => {
  vi.stubEnv('VERCEL', '1')
  const works: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>): void => void works.push(work)
  const { bridge, log } = mount([slow], service, where === 'option' ? { waitUntil } : {})
  const before = service.replies.length
  await sendEvent(bridge, eventBody(service), where === 'call' ? { waitUntil: waitUntil as never } : {})
  expect([works.length, service.replies.length - before]).toEqual([1, 0])
  await works[0]
  expect(service.replies.length - before).toBe(1)
  expect(log).toEqual([])
})

test('logs a waitUntil that throws, and continues the turn', async () => {
  const waitUntil = (): never => {
    throw new Error('outside of a request')
  }
  const { bridge, log } = mount([slow], service, { waitUntil })
  const before = service.replies.length
  expect((await sendEvent(bridge, eventBody(service))).status).toBe(200)
  await service.received(before + 1)
  expect(log).toEqual(['The hook waitUntil failed. Error: outside of a request'])
})

test('warns once if the platform stops the process and nothing keeps it active', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'bridge')
  const { bridge, log } = mount([agent('support', { onMessage: () => undefined })], service)
  for (let event = 0; event < 3; event++) await sendEvent(bridge, eventBody(service))
  expect(log).toEqual([expect.stringMatching(/^AWS Lambda may stop this process/)])
})
