const patienceMs = 30_000

/** What the person does in each conversation, and the expected answers of the agent. */
export const talks = [
  {
    title: 'A conversation with the agent: it answers, asks for approval, and ends it',
    turns: [
      { says: 'Where is order 1047?', hears: /on its way/ },
      { says: 'It is broken. Refund order 1047, please.', isAsked: 'Refund order 1047?' },
      { answers: { approved: true }, hears: /is refunded/ },
    ],
    ends: { status: 'resolved', summary: 'Refunded order 1047' },
  },
  {
    title: 'Another one: the agent hands over to a person, and keeps out of it',
    turns: [{ says: 'I want to talk to a human.', hears: /A colleague of mine/ }],
    ends: { status: 'open', metadata: { with: 'person' } },
    starts: 'customer-waits',
  },
]

/**
 * Has a conversation with the agent, like a person on the studio's page, and displays it.
 *
 * @param {(typeof talks)[number]} talk - The conversation to have.
 * @param {object} stage - The service, the events, the timeline and the person.
 */
export async function runTalk(talk, stage) {
  const { service, timeline, subscriber } = stage
  timeline.section(talk.title)
  const begun = { agentId: 'support', subscriberId: subscriber.subscriberId }
  const { _id } = await service.call('POST', '/v1/studio/conversations', begun)
  const path = `/v1/studio/conversations/${_id}`
  const lines = createLines(timeline, subscriber.firstName)
  for (const turn of talk.turns) {
    const question = lines.question()
    if (turn.says) await service.call('POST', `${path}/messages`, { text: turn.says })
    else await service.call('POST', `${path}/answers`, { questionId: question.questionId, ...turn.answers })
    await follow(path, { ...stage, lines, isOver: (conversation) => fits(conversation, turn) })
  }
  const isOver = (conversation) => endsAs(conversation, talk.ends)
  const conversation = await follow(path, { ...stage, lines, isOver })
  if (conversation.status === 'resolved') timeline.said('resolved', conversation.summary)
  timeline.expect(endsAs(conversation, talk.ends), `a conversation that ends as ${JSON.stringify(talk.ends)}`)
  if (talk.starts) await showRun(talk.starts, stage)
}

/** Reads a conversation whenever it changes, and displays what is new, until it has the expected state. */
async function follow(path, { service, events, timeline, lines, isOver }) {
  const deadlineMs = performance.now() + patienceMs
  for (;;) {
    const conversation = await service.call('GET', path)
    const over = isOver(conversation)
    lines.update(conversation, over)
    if (over) return conversation
    const event = await events.next(deadlineMs - performance.now())
    if (event) continue
    timeline.expect(false, 'an answer of the agent')
    return conversation
  }
}

/** Displays each message once it is complete, because streams are edited while they grow. */
function createLines(timeline, person) {
  const done = new Set()
  let asked
  return {
    question: () => asked,
    update({ messages, questions }, isOver) {
      asked = questions.findLast(({ status }) => status === 'open') ?? asked
      for (const [index, { _id, role, text, markdown, questionId, error }] of messages.entries()) {
        // The last message may not be complete yet.
        if (done.has(_id) || (!isOver && role === 'agent' && index === messages.length - 1)) continue
        done.add(_id)
        const isQuestion = role === 'agent' && questionId !== undefined
        const label = role === 'user' ? person : isQuestion ? 'agent asks' : role
        timeline.said(label, error ? `${error.code}: ${error.message}` : (text ?? markdown))
      }
    },
  }
}

function fits({ messages, questions }, { hears, isAsked }) {
  const last = messages.at(-1)
  if (last?.role !== 'agent') return false
  if (isAsked) return questions.some(({ status, text }) => status === 'open' && text === isAsked)
  return hears.test(last.text ?? last.markdown ?? '')
}

function endsAs(conversation, ends) {
  return Object.entries(ends).every(([name, value]) => JSON.stringify(conversation[name]) === JSON.stringify(value))
}

async function showRun(workflowId, { service, timeline }) {
  const { data } = await service.call('GET', '/v1/studio/runs?limit=20')
  const run = data.find((one) => one.workflowId === workflowId)
  timeline.expect(run !== undefined, `a run of ${workflowId}`)
  if (run) timeline.said('started', `${workflowId} for ${run.subscriberId}`)
}
