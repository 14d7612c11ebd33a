import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

interface Reason {
  readonly kind: string
  readonly message: string
}
interface Line {
  readonly _id: string
  readonly subscriberId: string
  readonly status: string
  readonly hasWarnings: boolean
  readonly reason: Reason | null
  readonly createdAt: string
  readonly steps: readonly { readonly stepId: string; readonly _id: string; readonly reason: Reason | null }[]
}

describe.each(bothDrivers)('reasons and filters of runs on %s', (driver) => {
  async function start(context: Parameters<typeof startTestService>[1]) {
    const service = await startTestService(driver, context, { work: true })
    const { call } = service
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const list = async (query = ''): Promise<readonly Line[]> =>
      (await call('GET', `/v1/studio/runs?limit=100${query}`)).body.data
    const trigger = async (to: object, more: object = {}): Promise<string> => {
      const { body } = await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: {}, ...more })
      return body.data.transactionId
    }
    const waiting = async (transactionId: string): Promise<Line> => {
      await expect
        .poll(async () => (await list(`&transactionId=${transactionId}`))[0]?.steps[1], { timeout: 10_000 })
        .toMatchObject({ status: 'delayed' })
      return (await list(`&transactionId=${transactionId}`))[0] as Line
    }
    const finish = async (transactionId: string): Promise<Line> => {
      const { steps } = await waiting(transactionId)
      await call('POST', `/v1/studio/jobs/${steps[1]?._id}/skip-wait`)
      const read = async () => (await list(`&transactionId=${transactionId}`))[0] as Line
      await expect.poll(async () => (await read()).status, { timeout: 10_000 }).not.toBe('running')
      return read()
    }
    return { ...service, bridge, list, trigger, waiting, finish }
  }

  test('show why a step did not send, in lists and on the page of the run', async (context) => {
    const { call, callAs, bridge, trigger, waiting, finish } = withCalls(await start(context))
    const sent = await finish(await trigger({ subscriberId: 'sent', email: 'sent@example.com' }))
    expect(sent).toMatchObject({ status: 'completed', hasWarnings: false, reason: null })
    expect(sent.steps.map(({ reason }) => reason)).toEqual([null, null, null])

    const noAddress = await finish(await trigger({ subscriberId: 'lost' }))
    expect(noAddress).toMatchObject({ status: 'completed', hasWarnings: true })
    expect(noAddress.steps[2]?.reason).toMatchObject({
      kind: 'address',
      code: 'subscriber_email_missing',
      message: expect.stringContaining('email'),
    })

    await call('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com' })
    await call('PATCH', '/v2/subscribers/ada/preferences', { channels: { email: false } })
    const optedOut = await finish(await trigger({ subscriberId: 'ada' }))
    expect(optedOut).toMatchObject({ status: 'completed', hasWarnings: false })
    const expected = {
      kind: 'preference',
      source: 'subscriber',
      message: 'ada has turned Email off for all workflows.',
    }
    expect(optedOut.steps[2]?.reason).toEqual(expected)
    const { body: whole } = await call('GET', `/v1/studio/runs/${optedOut._id}`)
    expect(whole.steps[2].reason).toEqual(expected)

    const byStudio = await waiting(await trigger({ subscriberId: 'bob' }))
    await call('POST', `/v1/studio/runs/${byStudio._id}/cancel`)
    const transactionId = await trigger({ subscriberId: 'eve' })
    const byApi = await waiting(transactionId)
    await call('DELETE', `/v1/events/trigger/${transactionId}`)
    const byDeletion = await waiting(await trigger({ subscriberId: 'gone' }))
    await call('DELETE', '/v2/subscribers/gone')
    expect(await callAs(byStudio)).toMatchObject({
      kind: 'canceled',
      message: expect.stringMatching(/^Canceled in the studio \(Secret key [0-9a-f]{12}\)\.$/),
    })
    expect(await callAs(byApi)).toMatchObject({
      message: expect.stringMatching(/^Canceled by an API call for its transaction \(Secret key [0-9a-f]{12}\)\.$/),
    })
    expect(await callAs(byDeletion)).toMatchObject({ message: 'Canceled because the subscriber was deleted.' })

    const outputs = { subject: 'Hello', body: 'Hi' }
    const metadata = { status: 'success', error: false, duration: 1 }
    const waits = await waiting(await trigger({ subscriberId: 'skips', email: 'skips@example.com' }))
    bridge.answer('execute', { status: 200, body: { outputs, providers: {}, options: { skip: true }, metadata } })
    await call('POST', `/v1/studio/jobs/${waits.steps[1]?._id}/skip-wait`)
    await expect
      .poll(() => callAs(waits), { timeout: 10_000 })
      .toEqual({ kind: 'skip', message: 'Skipped by its own condition.' })
  })

  test('list the runs that a digest merged', async (context) => {
    const { call, list } = await start(context)
    const steps = [
      { name: 'Collect', type: 'digest', controlValues: { amount: 1, unit: 'hours' } },
      { name: 'Tell', type: 'in_app', controlValues: { body: 'Hi' } },
    ]
    await call('POST', '/v2/workflows', { name: 'Report', workflowId: 'report', active: true, steps })
    const trigger = async () => call('POST', '/v1/events/trigger', { name: 'report', to: 'ada', payload: {} })
    const statuses = async () => (await list('&workflowId=report')).map(({ status }) => status)
    await trigger()
    await expect
      .poll(async () => (await list('&workflowId=report'))[0]?.steps[0], { timeout: 10_000 })
      .toMatchObject({ status: 'delayed' })
    await trigger()
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(['merged', 'running'])
    const [merged, digest] = await list('&workflowId=report')
    const show = async (line: Line | undefined) => (await call('GET', `/v1/studio/runs/${line?._id}`)).body
    const link = { _id: merged?._id, stepId: 'collect', subscriberId: 'ada', status: 'merged' }
    expect((await show(digest)).mergedRuns).toEqual([expect.objectContaining(link)])
    expect(await show(merged)).toMatchObject({ digestedRunId: digest?._id, mergedRuns: [], unreached: [] })
  })

  test('find runs by outcome, error, recipient and time, and count them', async (context) => {
    const { call, bridge, list, trigger, finish } = await start(context)
    const ada = { subscriberId: 'u-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada.l@example.com' }
    const good = await finish(await trigger(ada))
    const warned = await finish(await trigger({ subscriberId: 'u-2', firstName: 'Bob' }))
    const body = { code: 'StepExecutionFailedError', message: 'It broke.', data: {} }
    bridge.answer('execute', { status: 500, body })
    const failedId = await trigger({ subscriberId: 'u-3' })
    const read = async () => (await list(`&transactionId=${failedId}`))[0]
    await expect.poll(async () => (await read())?.status, { timeout: 20_000 }).toBe('failed')
    const failed = (await read()) as Line
    expect(failed.steps[0]?.reason).toMatchObject({ kind: 'failed', code: 'StepExecutionFailedError' })

    const ids = async (query: string) => (await list(query)).map(({ subscriberId }) => subscriberId).sort()
    expect(await ids('&status=completed')).toEqual(['u-1'])
    expect(await ids('&status=warning')).toEqual(['u-2'])
    expect(await ids('&status=warning&status=failed')).toEqual(['u-2', 'u-3'])
    expect(await ids('&errorCode=StepExecutionFailedError')).toEqual(['u-3'])
    expect(await ids('&errorCode=subscriber_email_missing')).toEqual(['u-2'])
    expect(await ids('&errorCode=StepExecution')).toEqual([])
    expect(await ids('&search=da.l@exa')).toEqual(['u-1'])
    expect(await ids('&search=LOVE')).toEqual(['u-1'])
    expect(await ids('&search=u-')).toEqual(['u-1', 'u-2', 'u-3'])
    expect(await ids('&channel=email')).toEqual(['u-1', 'u-2', 'u-3'])
    expect(await ids('&channel=push')).toEqual([])
    expect(await ids('&workflowId=other&workflowId=welcome')).toEqual(['u-1', 'u-2', 'u-3'])
    expect(await ids('&workflowId=other')).toEqual([])
    expect(await ids(`&createdAfter=${warned.createdAt}`)).toEqual(['u-2', 'u-3'])
    expect(await ids(`&createdBefore=${good.createdAt}`)).toEqual(['u-1'])
    expect((await call('GET', '/v1/studio/runs?createdAfter=soon')).status).toBe(422)

    const countMessages = async (query: string) => (await call('GET', `/v1/studio/messages${query}`)).body.data.length
    expect(await countMessages('?status=warning')).toBe(1)
    expect(await countMessages('?status=sent')).toBe(3)
    expect(await countMessages('?status=warning&status=sent&subscriberId=u-1')).toBe(2)
    expect((await call('GET', '/v1/messages?status=sent')).status).toBe(422)

    const counts = async (query = '') => (await call('GET', `/v1/studio/run-counts${query}`)).body
    const none = { running: 0, completed: 0, warning: 0, failed: 0, merged: 0, canceled: 0 }
    expect(await counts()).toEqual({ ...none, completed: 1, warning: 1, failed: 1 })
    expect(await counts(`?createdAfter=${failed.createdAt}`)).toEqual({ ...none, failed: 1 })
  })
})

/** Adds a function that reads the reason of the last step of a run. */
function withCalls<TService extends { readonly list: (query: string) => Promise<readonly Line[]> }>(service: TService) {
  const callAs = async ({ _id }: Line): Promise<Reason | null | undefined> =>
    (await service.list('')).find((line) => line._id === _id)?.steps[2]?.reason
  return { ...service, callAs }
}
