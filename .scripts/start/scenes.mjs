const order = {
  orderId: 'A-1047',
  carrier: 'courier',
  trackingUrl: 'https://example.com/track/A-1047',
  items: [
    { name: 'Teapot', quantity: 1 },
    { name: 'Cup', quantity: 4 },
  ],
}
const comment = { postId: 'p-7', postTitle: 'On bridges', author: 'Grace', text: 'I walked over it.' }
const finalStatuses = ['completed', 'failed', 'merged', 'canceled']
const patienceMs = 30_000
/** The time without events after which an ended run is considered complete, in milliseconds. */
const quietMs = 700

/** The actions of an app, and the expected results of its runs. */
export const scenes = [
  {
    title: 'An order is shipped; the message stays unread for an hour, so an email follows',
    workflowId: 'order-shipped',
    payloads: [order],
    ends: { inbox: 'completed', wait: 'completed', email: 'completed' },
  },
  {
    title: 'The same, but the message is read: the email is left out',
    workflowId: 'order-shipped',
    payloads: [order],
    isRead: true,
    ends: { inbox: 'completed', wait: 'completed', email: 'skipped' },
  },
  {
    title: 'Three comments within ten minutes become one email',
    workflowId: 'comment-digest',
    payloads: ['I walked over it.', 'So did I.', 'It holds.'].map((text) => ({ ...comment, text })),
    ends: { collect: 'completed', summary: 'completed' },
  },
  {
    title: 'A code to sign in with',
    workflowId: 'sign-in-code',
    payloads: [{ code: '271828' }],
    ends: { code: 'completed' },
  },
]

/**
 * Triggers the workflow of a scene and displays its runs until they have ended. Skips the waits of the runs.
 *
 * @param {(typeof scenes)[number]} scene - The scene to run.
 * @param {object} stage - The service, the events, the timeline and the recipient.
 */
export async function runScene(scene, { service, events, timeline, subscriber }) {
  timeline.section(scene.title)
  const started = performance.now()
  const transactions = []
  for (const payload of scene.payloads) {
    const body = { name: scene.workflowId, to: subscriber.subscriberId, payload }
    const { transactionId } = await service.call('POST', '/v1/events/trigger', body)
    transactions.push(transactionId)
  }
  const runs = new Map()
  const merged = new Set()
  let waiting
  // If several runs are merged, follow whichever reached its wait first.
  let followed = transactions[0]
  const isOver = () =>
    runs.size === transactions.length && [...runs.values()].every((one) => finalStatuses.includes(one))
  const deadlineMs = performance.now() + patienceMs
  for (;;) {
    const event = await events.next(isOver() ? quietMs : deadlineMs - performance.now())
    if (!event && isOver()) break
    if (!event) throw new Error(`"${scene.title}" did not end within ${patienceMs / 1000} seconds.`)
    if (!transactions.includes(event.transactionId)) continue
    timeline.row(performance.now() - started, event)
    runs.set(event.transactionId, event.runStatus)
    if (event.jobStatus === 'merged') merged.add(event.transactionId)
    if (event.jobStatus === 'delayed' && !waiting) [waiting, followed] = [event.jobId, event.transactionId]
    // All events must be in the digest before its wait is shortened.
    if (waiting && waiting !== 'over' && merged.size === transactions.length - 1) {
      await endWait(scene, { service, timeline, subscriber, jobId: waiting })
      waiting = 'over'
    }
  }
  await checkEnds(scene, { service, timeline, transactionId: followed })
}

async function endWait(scene, { service, timeline, subscriber, jobId }) {
  if (scene.isRead) {
    const changed = await service.call('POST', `/v1/subscribers/${subscriber.subscriberId}/messages/mark-all`, {
      markAs: 'read',
    })
    timeline.note('', `${subscriber.firstName} reads her inbox (${changed} messages)`)
  }
  timeline.note('', 'the wait is cut short')
  await service.call('POST', `/v1/studio/jobs/${jobId}/skip-wait`)
}

async function checkEnds({ ends }, { service, timeline, transactionId }) {
  const { data } = await service.call('GET', `/v1/notifications?transactionId=${transactionId}`)
  const run = await service.call('GET', `/v1/notifications/${data[0]._id}`)
  const statusByStep = Object.fromEntries(run.jobs.map(({ step, status }) => [step.stepId ?? step.name, status]))
  const isRight = Object.entries(ends).every(([stepId, status]) => statusByStep[stepId] === status)
  timeline.expect(isRight, `${JSON.stringify(ends)}; the run says ${JSON.stringify(statusByStep)}`)
}
