import { expect, test } from 'vitest'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { loadReports } from './load-reports.ts'

test.for(bothDrivers)('shows the newest reports of each message, oldest first (%s)', async (driver, context) => {
  const { db } = await createStore(driver, context)
  const toRows = (messageId: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `${messageId}${String(at).padStart(8, '0')}`, environmentId: 'e', runId: 'r', messageId },
      ...{ eventKey: String(at), type: 'opened', reason: null, happenedAt: at, createdAt: 0 },
    }))
  const messageIds = Array.from({ length: 30 }, (_, at) => `m${String(at).padStart(2, '0')}`)
  const rows = [...toRows('loud', 130), ...messageIds.flatMap((id) => toRows(id, 80))]
  for (let at = 0; at < rows.length; at += 100)
    await db
      .insertInto('deliveryReports')
      .values(rows.slice(at, at + 100))
      .execute()
  const selections = [
    { by: 'messageId', ids: ['loud', ...messageIds] },
    { by: 'runId', ids: ['r'] },
  ] as const
  for (const wanted of selections) {
    const reports = await loadReports(db, wanted)
    expect([...reports].map(([id, list]) => [id, list.length]).sort()).toEqual([
      ['loud', 100],
      ...messageIds.map((id) => [id, 80]),
    ])
    expect(reports.get('loud')?.map(({ at }) => Date.parse(String(at)))).toEqual(
      Array.from({ length: 100 }, (_, at) => 30 + at),
    )
  }
  expect(await loadReports(db, { by: 'messageId', ids: [] })).toEqual(new Map())
})
