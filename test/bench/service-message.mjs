import { acceptByHand, nextId, times, toDetail, toInsert, toJob, toRun, toSubscriber } from './service-floor.mjs'

/**
 * A hand-written version of what the service does for one SMS trigger: the same rows, number of transactions, and calls
 * to the bridge and the provider. Resolves when the message has arrived; `rest` resolves when everything is stored.
 */
export async function messageByHand(floor, { ask, deliver }) {
  const [trigger] = await acceptByHand(floor, 1)
  const [runId, jobId, messageId] = [nextId(), nextId(), nextId()]
  const detail = (text, more = {}) => toDetail({ runId, jobId, detail: text, raw: null, ...more })
  await floor.transaction(async (put) => {
    const subscriberId = nextId()
    await put(...toInsert('subscribers', [toSubscriber(subscriberId, trigger)]))
    await put(...toInsert('runs', [toRun(runId, trigger, subscriberId)]))
    await put(...toInsert('jobs', [toJob(jobId, runId, 0)]))
    await put(...toInsert('executionDetails', [detail('Step created'), detail('Step queued')]))
    await put('update "triggers" set "status" = ?, "updatedAt" = ? where "id" = ?', ['done', 2, trigger.id])
    await floor.insertQueue(put, [{ id: trigger.jobQueueId, kind: 'job', subject: jobId }])
    await floor.deleteQueue(put, trigger.queueId)
  })
  await floor.run('update "jobs" set "status" = ?, "claim" = ?, "updatedAt" = ? where "id" = ?', [
    'running',
    'c',
    2,
    jobId,
  ])
  const reply = await ask()
  await floor.transaction(async (put) => {
    await put(...toInsert('messages', [toMessage(messageId, runId, jobId)]))
    await put('update "runs" set "sequence" = ?, "updatedAt" = ? where "id" = ?', [1, 2, runId])
    await put('update "jobs" set "outputs" = ?, "stage" = ?, "updatedAt" = ? where "id" = ?', [
      reply,
      'sending',
      2,
      jobId,
    ])
    const lines = ['Successful bridge response received', 'Start sending', 'Message created'].map((text) =>
      detail(text),
    )
    await put(...toInsert('executionDetails', lines))
    const call = { id: nextId(), environmentId: 'e', runId, jobId, action: 'execute', url: 'u', request: '{}', reply }
    await put(...toInsert('bridgeCalls', [{ ...call, status: 200, durationMs: 0, createdAt: 1 }]))
  })
  await deliver(messageId)
  const rest = async () => {
    await floor.transaction(async (put) => {
      await put('update "messages" set "status" = ?, "delivery" = ? where "id" = ?', ['sent', null, messageId])
      await put('update "jobs" set "status" = ?, "endedAt" = ? where "id" = ?', ['completed', 2, jobId])
      await put('update "runs" set "status" = ?, "finishedAt" = ? where "id" = ?', ['completed', 2, runId])
      await put(...toInsert('executionDetails', [detail('Message sent')]))
      await floor.deleteQueue(put, trigger.jobQueueId)
    })
  }
  return { rest }
}

const empty = [
  ...['errorId', 'errorText', 'subject', 'title', 'avatar', 'email', 'directWebhookUrl', 'deviceTokens', 'feedId'],
  ...['data', 'firstSeenAt', 'lastSeenAt', 'lastReadAt', 'archivedAt', 'snoozedUntil', 'providerMessageId'],
]

function toMessage(id, runId, jobId) {
  return {
    id,
    environmentId: 'e',
    dedupeKey: id,
    runId,
    jobId,
    workflowId: 'w',
    workflowIdentifier: 'w',
    subscriberId: runId,
    transactionId: runId,
    channel: 'sms',
    providerId: 'generic-sms',
    integrationId: 'i',
    status: 'pending',
    content: '"Hello"',
    cta: '{}',
    phone: '+1',
    payload: '{}',
    overrides: '{}',
    tags: '[]',
    severity: 'none',
    critical: 0,
    contextKeys: '[]',
    seen: 0,
    read: 0,
    archived: 0,
    deliveredAt: '[]',
    delivery: 'sealed',
    ...Object.fromEntries(empty.map((name) => [name, null])),
    ...times,
  }
}
