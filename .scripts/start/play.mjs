import { showBell } from './bell.mjs'
import { runTalk, talks } from './conversation.mjs'
import { runScene, scenes } from './scenes.mjs'

const subscriber = {
  subscriberId: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15550100',
}

/**
 * Does what an app and its users would do (trigger workflows, read messages, talk to the agent) and displays how the
 * service reacts.
 *
 * @param {Awaited<ReturnType<import('./service.mjs').createService>>} service - The service, in sync with the app.
 * @param {string} pageUrl - The page with a bell.
 */
export async function play(service, timeline, pageUrl) {
  timeline.section('Synced: the service has asked the bridge for its workflows and agents')
  const { workflows } = await service.call('GET', '/v2/workflows?limit=50&orderBy=createdAt&orderDirection=ASC')
  for (const { workflowId, stepTypeOverviews } of workflows) timeline.note(workflowId, stepTypeOverviews.join(', '))
  const agents = await service.call('GET', '/v1/studio/agents')
  for (const { agentId } of agents) timeline.note(agentId, 'agent')
  timeline.expect(workflows.length === 5 && agents.length === 1, 'five workflows and an agent')
  await service.call('POST', '/v2/subscribers', subscriber)

  const following = new AbortController()
  const events = await service.follow(following.signal)
  const stage = { service, events, timeline, subscriber }
  try {
    for (const scene of scenes) await runScene(scene, stage)
    await showMessages({ service, timeline })
    await showBell({ service, timeline, pageUrl })
    for (const talk of talks) await runTalk(talk, stage)
  } finally {
    following.abort()
  }
}

async function showMessages({ service, timeline }) {
  timeline.section('The messages, as they arrived')
  const inbox = await service.call('GET', `/v1/subscribers/${subscriber.subscriberId}/notifications/feed`)
  const { data: outbox } = await service.call('GET', '/v1/studio/outbox?orderDirection=ASC&limit=50')
  for (const { subject, content, read } of inbox.data.toReversed())
    timeline.message(`inbox of ${subscriber.subscriberId}`, [subject, content, read ? '(read)' : '(unread)'])
  for (const { channel, recipient, content } of outbox)
    timeline.message(`${channel} to ${recipient}`, [content.subject, content.text ?? content.content])
  timeline.expect(inbox.data.length === 2, 'two messages in the inbox')
  timeline.expect(
    outbox.map(({ channel }) => channel).join() === 'email,email,sms',
    'two emails and an SMS in the outbox',
  )
}
