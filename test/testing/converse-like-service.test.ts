import { card, text } from '@trestle/core'
import { type AgentContext, type AgentDefinition, agent } from '@trestle/core/agents'
import { type ConversationTurn, testBridge } from '@trestle/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { talkToService } from './talk-to-service.ts'

vi.setConfig({ testTimeout: 60_000 })

const logger = { warn: () => undefined, error: () => undefined }
const buy = { type: 'actions', children: [{ type: 'button', id: 'buy', label: 'Buy', value: 'b1' }] } as const

/** An agent controlled by the user's messages, and what its handlers receive. */
function createAgent(): { support: AgentDefinition; seen: unknown[] } {
  const seen: unknown[] = []
  const see = (event: string, { conversation, history }: AgentContext, more: object = {}): void => {
    const said = history.map((entry) => `${entry.role}: ${entry.text}`)
    const isWhole = history.every(({ messageId, timestamp }) => messageId && timestamp)
    const fields = Object.keys(conversation).sort()
    const { status, messageCount: messages } = conversation
    seen.push({ event, status, messages, fields, said, isWhole, ...more })
  }
  const support = agent('support', {
    onMessage: async (context) => {
      const { message, reply, ask, choose, approve, resolve } = context
      see('message', context, { text: message.text, fields: Object.keys(message).sort() })
      if (message.text === 'card') await reply({ card: card({ title: 'Order 7' }, text('Two books'), buy as never) })
      if (message.text === 'file') await reply({ files: [{ name: 'a.pdf', url: 'https://a.test/a.pdf' }] })
      if (message.text === 'ask') await ask('why', { text: 'Why?', value: 1 })
      if (message.text === 'choose')
        await choose('which', { text: 'Which?', options: [{ value: 'a', label: 'First' }] })
      if (message.text === 'take back') {
        const { messageId = '' } = await ask('gone', { text: 'Gone?' })
        await context.delete(messageId)
      }
      if (message.text === 'keep') await keepMuch(context, seen)
      if (message.text === 'approve') await approve('pay', { text: 'Pay?', labels: { approve: 'Yes' } })
      if (message.text === 'fail') throw new Error('boom')
      if (message.text === 'typo') {
        const [first, second] = [await reply('Helo'), await reply('gone')]
        await first.edit('Hello')
        await second.delete()
      }
      if (message.text === 'amiss') seen.push(await actAmiss(context, message))
      if (message.text === 'end') await resolve('done')
    },
    onAction: async (context) => {
      const { id, value, answer, sourceMessageId, author } = context.action
      const { questionId: _id, ...given } = { questionId: '', ...answer }
      see('action', context, {
        id,
        value,
        given,
        hasSource: sourceMessageId !== undefined,
        hasAuthor: author !== undefined,
      })
      await context.react('+1')
    },
    onReaction: (context) => see('reaction', context, { hasAuthor: context.reaction.author !== undefined }),
    onResolve: async (context) => {
      see('resolve', context)
      await context.resolve()
    },
  })
  return { support, seen }
}

/** Exceeds the metadata limit of the conversation, in two parts; records the error of the second. */
async function keepMuch({ setMetadata }: AgentContext, seen: unknown[]): Promise<void> {
  await setMetadata({ first: 'x'.repeat(40_000) })
  seen.push(await setMetadata({ second: 'y'.repeat(40_000) }).catch((error: Error) => error.message))
}

/** Actions that the service rejects, and some that only look invalid; returns their results. */
async function actAmiss(
  { reply, edit, delete: remove, react, ask }: AgentContext,
  message: { readonly platformMessageId?: string },
): Promise<string[]> {
  const [gone, kept] = [(await reply('gone')).messageId ?? '', (await reply('kept')).messageId ?? '']
  const { platformMessageId: mine = '' } = message
  await remove(gone)
  await ask('odd', { text: 'Odd?' })
  const acts: readonly [string, () => Promise<unknown>][] = [
    ['edits one that was never there', () => edit('none', 'x')],
    ['edits one that was deleted', () => edit(gone, 'x')],
    ['edits one of the person', () => edit(mine, 'x')],
    ['edits its own', () => edit(kept, 'new')],
    ['deletes one that was never there', () => remove('none')],
    ['deletes one twice', () => remove(gone)],
    ['deletes one of the person', () => remove(mine)],
    ['reacts to one that was never there', () => react('x', 'none')],
    ['reacts to one that was deleted', () => react('x', gone)],
    ['reacts to its own', () => react('x', kept)],
    ['reacts twice', () => react('x', kept)],
    ['reacts to one of the person', () => react('x')],
  ]
  const outcomes: string[] = []
  for (const [name, act] of acts)
    outcomes.push(
      await act().then(
        () => `${name}: done`,
        (error: Error) => `${name}: ${error.message.replaceAll(/[0-9a-f-]{20,}/g, 'ID')}`,
      ),
    )
  return outcomes
}

const turns: readonly ConversationTurn[] = [
  ...(['card', { action: 'buy', value: 'b1' }, { reaction: 'eyes' }, { reaction: 'eyes' }] as const),
  ...(['ask', 'take back', { answer: 'Because' }, 'keep'] as const),
  ...(['choose', { answer: 'a' }, 'approve', { answer: true, note: 'fine' }, 'file', 'typo', 'fail', 'amiss'] as const),
  ...(['end', 'again', 'end', { reaction: 'x' }, { resolve: true }, 'more', { resolve: true }, 'last'] as const),
]

test('a conversation in the test kit matches one in the service', async (context) => {
  const real = createAgent()
  const { send, path, settled } = await talkToService(real.support, context)
  for (const turn of turns) {
    const { messages, questions } = await send(`GET ${path}`)
    const agentMessages = messages.filter(
      (one: { role: string; deletedAt: unknown }) => one.role === 'agent' && !one.deletedAt,
    )
    const open = questions.filter(
      (one: { messageId: string; answer?: unknown }) =>
        !one.answer && agentMessages.some((message: { _id: string }) => message._id === one.messageId),
    )
    const { questionId, type } = open.at(-1) ?? {}
    if (typeof turn === 'string') await send(`POST ${path}/messages`, { text: turn })
    else if ('action' in turn)
      await send(`POST ${path}/actions`, {
        actionId: turn.action,
        value: turn.value,
        sourceMessageId: agentMessages.at(-1)._id,
      })
    else if ('reaction' in turn)
      await send(`POST ${path}/reactions`, { messageId: agentMessages[0]._id, emoji: turn.reaction })
    else if ('resolve' in turn) await send(`POST ${path}/resolve`, {})
    else if ('answer' in turn) {
      const answer = {
        approval: { approved: turn.answer },
        choice: { choice: turn.answer },
        text: { text: turn.answer },
      }
      await send(`POST ${path}/answers`, { questionId, ...answer[type as 'text'], note: turn.note })
    }
    await settled()
  }
  const tested = createAgent()
  const { resolved } = await testBridge({ agents: [tested.support], logger }).converse(tested.support, turns)
  expect(tested.seen).toEqual(real.seen)
  // One entry per turn, plus two resolutions that the agent caused itself and two notes that `keep` and `amiss` add,
  // minus one resolution and one reaction without effect.
  expect(real.seen).toHaveLength(turns.length + 2 + 2 - 1 - 1)
  expect([resolved?.summary, (await send(`GET ${path}`)).summary]).toEqual(['done', 'done'])
  const outcomes = real.seen.find((one) => Array.isArray(one)) as string[]
  expect(outcomes.filter((act) => act.endsWith(': done'))).toHaveLength(5)
})

test.each<[string, object, ConversationTurn]>([
  ['to a question that was deleted', { text: 'Ada' }, { answer: 'Ada' }],
  ['with a remark, where none belongs', { text: 'Ada', note: 'so' }, { answer: 'Ada', note: 'so' }],
  ['that is empty', { text: '' }, { answer: '' }],
])('neither the test kit nor the service accepts an answer %s', async (what, body, turn) => {
  const asks = agent('support', {
    onMessage: async ({ ask, delete: remove }) => {
      const { messageId = '' } = await ask('name', { text: 'Your name?' })
      if (what.includes('deleted')) await remove(messageId)
    },
  })
  const { send, path, settled } = await talkToService(asks, { onTestFinished, skip: () => undefined as never })
  await send(`POST ${path}/messages`, { text: 'hi' })
  await settled()
  const [{ questionId }] = (await send(`GET ${path}`)).questions
  await expect(send(`POST ${path}/answers`, { questionId, ...body })).rejects.toThrow(/409|422/)
  await expect(testBridge({ agents: [asks] }).converse(asks, ['hi', turn])).rejects.toThrow(TypeError)
})
