const subscriber = { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }

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

// What the service knows when a step is over, and the bridge cannot: whether a message was read, how long a wait took.
const runs = [
  {
    title: 'an order is shipped; the message stays unread for an hour, so an email follows',
    workflowId: 'order-shipped',
    payload: order,
    results: {
      inbox: { seen: true, read: false, lastSeenDate: '2026-01-01T09:00:00.000Z', lastReadDate: null },
      wait: { duration: 3_600_000 },
    },
    skipped: [],
  },
  {
    title: 'the same, but the message is read: the email is left out',
    workflowId: 'order-shipped',
    payload: order,
    results: {
      inbox: {
        seen: true,
        read: true,
        lastSeenDate: '2026-01-01T09:00:00.000Z',
        lastReadDate: '2026-01-01T09:01:00.000Z',
      },
      wait: { duration: 3_600_000 },
    },
    skipped: ['email'],
  },
  {
    title: 'three comments within ten minutes become one email',
    workflowId: 'comment-digest',
    payload: comment,
    results: {
      collect: {
        events: ['I walked over it.', 'So did I.', 'It holds.'].map((text, index) => ({
          id: `event-${index}`,
          time: `2026-01-01T09:0${index}:00.000Z`,
          payload: { ...comment, text },
        })),
        eventCount: 3,
      },
    },
    skipped: [],
  },
  {
    title: 'a code to sign in with',
    workflowId: 'sign-in-code',
    payload: { code: '271828' },
    results: {},
    skipped: [],
  },
]

/**
 * Plays the service against a bridge: all it asks, in the order in which it would.
 *
 * @param {ReturnType<import('./service.mjs').createService>} service - Sends the calls.
 * @param {ReturnType<import('./timeline.mjs').createTimeline>} timeline - Shows them.
 */
export async function play(service, timeline) {
  timeline.section('Is it there, and what does it serve?')
  const health = await service.call({ action: 'health-check' })
  timeline.row('health-check', '', { ...health, good: health.body.status === 'ok', text: JSON.stringify(health.body) })
  const { workflows = [] } = await discover(service, timeline)

  timeline.section('What would each step look like? (previews, on sample data)')
  for (const { workflowId, steps } of workflows)
    for (const { stepId } of steps) {
      const answer = await service.call({ action: 'preview', workflowId, stepId }, { subscriber })
      timeline.row('preview', `${workflowId} / ${stepId}`, {
        ...answer,
        good: answer.body.outputs,
        text: show(answer.body),
      })
    }

  for (const run of runs) await playRun(service, timeline, { run, workflows })

  timeline.section('A call that was signed with another key')
  const query = { action: 'execute', workflowId: 'sign-in-code', stepId: 'code' }
  const refused = await service.call(query, { payload: { code: '271828' } }, { secret: 'not the key' })
  timeline.row('execute', 'sign-in-code / code', {
    ...refused,
    good: refused.status === 401 && refused.body.code === 'SignatureMismatchError',
    text: show(refused.body),
  })
}

async function discover(service, timeline) {
  const answer = await service.call({ action: 'discover' })
  const { workflows = [] } = answer.body
  timeline.row('discover', '', { ...answer, good: workflows.length === 3, text: `${workflows.length} workflows` })
  for (const { workflowId, steps } of workflows)
    timeline.note(workflowId, steps.map(({ stepId, type }) => `${stepId} (${type})`).join(', '))
  return answer.body
}

/** Runs a workflow step by step, as the service does: what a step left behind is sent with the calls for later ones. */
async function playRun(service, timeline, { run, workflows }) {
  const { title, workflowId, payload, results, skipped } = run
  timeline.section(`A run: ${title}`)
  const steps = workflows.find((workflow) => workflow.workflowId === workflowId)?.steps ?? []
  let state = []
  for (const { stepId } of steps) {
    const event = { payload, subscriber, state, controls: {} }
    const answer = await service.call({ action: 'execute', workflowId, stepId }, event)
    const { outputs, options } = answer.body
    const good = answer.status === 200 && options.skip === skipped.includes(stepId)
    timeline.row('execute', `${workflowId} / ${stepId}`, { ...answer, good, text: show(answer.body) })
    const entry = { stepId, outputs: results[stepId] ?? outputs ?? {}, state: { status: 'completed' } }
    if (results[stepId]) timeline.note('the service fills in', shorten(JSON.stringify(results[stepId])))
    state = [entry, ...state]
  }
}

function show({ code, message, outputs, options }) {
  if (code) return shorten(`${code}: ${message}`)
  return options?.skip ? 'skipped' : shorten(JSON.stringify(outputs))
}

function shorten(text) {
  const line = String(text).replaceAll(/(\\n|\s)+/g, ' ')
  return line.length > 110 ? `${line.slice(0, 109)}…` : line
}
