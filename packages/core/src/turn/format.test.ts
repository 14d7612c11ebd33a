import { afterEach, beforeEach, expect, test } from 'vitest'
import { agent } from '../agent/agent.ts'
import { eventBody, mount, type Service, sendEvent, startService } from './turn.fixture.ts'

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

async function* parts(): AsyncGenerator<string> {
  yield '**Hi**'
}

test.each<[string, unknown, object | undefined, object]>([
  ['a text', '**Hi**', undefined, { text: '**Hi**' }],
  ['a text', '**Hi**', {}, { text: '**Hi**' }],
  ['a text', '**Hi**', { format: undefined }, { text: '**Hi**' }],
  ['a text', '**Hi**', { format: 'text' }, { text: '**Hi**' }],
  ['a text', '**Hi**', { format: 'markdown' }, { markdown: '**Hi**' }],
  ['a stream', parts(), undefined, { markdown: '**Hi**' }],
  ['a stream', parts(), { format: 'text' }, { text: '**Hi**' }],
  ['content', { markdown: '**Hi**' }, { format: undefined }, { markdown: '**Hi**' }],
])('sends %s in its format: %j %j', async (_what, content, options, expected) => {
  const support = agent('support', { onMessage: ({ reply }) => reply(content as never, options as never) })
  await sendEvent(mount([support], service).bridge, eventBody(service))
  const [sent] = await service.received(1)
  expect(sent?.body.reply).toEqual(expected)
})

test('rejects unknown formats and options, and a format for structured content, without sending anything', async () => {
  const faults: string[] = []
  const wrong: readonly (readonly [unknown, unknown])[] = [
    ['x', { format: 'html' }],
    [parts(), { format: 'html' }],
    ['x', { fromat: 'markdown' }],
    [parts(), { x: 1 }],
    ['x', 'markdown'],
    ['x', null],
    [{ text: 'x' }, { format: 'markdown' }],
  ]
  const support = agent('support', {
    onMessage: async ({ reply }) => {
      for (const [content, options] of wrong)
        await reply(content as never, options as never).catch((error: Error) => faults.push(String(error)))
      await reply('right')
    },
  })
  await sendEvent(mount([support], service).bridge, eventBody(service))
  expect((await service.received(1)).map(({ body }) => body.reply)).toEqual([{ text: 'right' }])
  expect(faults).toMatchInlineSnapshot(`
    [
      "TypeError: reply(): the option format must be one of 'text' and 'markdown'; got "html".",
      "TypeError: reply(): the option format must be one of 'text' and 'markdown'; got "html".",
      "TypeError: reply(): unknown option "fromat". Did you mean format?",
      "TypeError: reply(): unknown option "x". The options are format.",
      "TypeError: reply(): the options must be an object; got "markdown".",
      "TypeError: reply(): the options must be an object; got null.",
      "TypeError: reply(): the option format is for text or a stream of text; content objects have the fields text and markdown.",
    ]
  `)
})
