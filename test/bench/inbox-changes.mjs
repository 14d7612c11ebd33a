import { recordInboxChange } from '../../packages/service/dist/messages/record-inbox-change.js'
import { blankMessage } from '../../packages/service/dist/store/blank-rows.js'
import { createId } from '../../packages/service/dist/store/create-id.js'
import { migrate } from '../../packages/service/dist/store/migrate.js'
import { openStore } from '../../packages/service/dist/store/open-store.js'
import { median } from './median.mjs'

const environmentId = createId(1)
const warmUp = 50

/**
 * Measures the transaction that stores an in-app message, with and without recording the inbox change.
 *
 * @param {string | undefined} databaseUrl - URL of a PostgreSQL database. The default is an in-memory SQLite database.
 * @param {number} rounds - The number of transactions of each kind.
 */
export async function measureChanges(databaseUrl, rounds) {
  const store = openStore({ databaseUrl, databaseFile: ':memory:', onIdleError: () => undefined })
  try {
    await migrate(store)
    const times = { plain: [], recorded: [] }
    for (let round = -warmUp; round < rounds; round++)
      // Alternating, so that both run under the same conditions.
      for (const kind of ['plain', 'recorded']) {
        const startMs = performance.now()
        await storeMessage(store, kind === 'recorded')
        if (round >= 0) times[kind].push(performance.now() - startMs)
      }
    return { plainMs: median(times.plain), recordedMs: median(times.recorded) }
  } finally {
    await store.close()
  }
}

function storeMessage(store, isRecorded) {
  const nowMs = Date.now()
  const [id, subscriberId] = [createId(nowMs), createId(nowMs)]
  return store.transaction(async (tx) => {
    await tx
      .insertInto('messages')
      .values({ ...blankMessage, ...message, id, dedupeKey: id, environmentId, subscriberId })
      .execute()
    if (isRecorded) await recordInboxChange(tx, { environmentId, subscriberId }, { kind: 'received', ids: [id], nowMs })
  })
}

const message = {
  ...{ runId: createId(1), jobId: createId(1), workflowId: createId(1), workflowIdentifier: 'welcome' },
  ...{ transactionId: 'tx-1', channel: 'in_app', providerId: 'novu', status: 'sent', content: '"Hello"' },
  ...{ deliveredAt: '[1]', createdAt: 1, updatedAt: 1 },
}
