import { describe, expect, test } from 'vitest'
import { readModelText } from './model-text.ts'

const text = (part: string): object => ({ type: 'text-delta', text: part })
const finish = (finishReason: string): object => ({ type: 'finish', finishReason })

async function* stream(parts: readonly object[]): AsyncGenerator<object> {
  yield* parts
}

async function read(parts: readonly object[]): Promise<string> {
  let all = ''
  for await (const part of readModelText(stream(parts))) all += part
  return all
}

describe('the text of a model', () => {
  test('has a blank line between the text of two steps, and none around empty text', async () => {
    const step = { type: 'start-step' }
    expect(await read([step, text('a'), text('b'), step, step, text('c'), finish('stop')])).toBe('ab\n\nc')
    expect(await read([step, step, text('a'), finish('stop')])).toBe('a')
  })

  test('can be missing if a tool was called', async () => {
    expect(await read([{ type: 'tool-call' }, finish('tool-calls')])).toBe('')
  })

  test.each<[string, readonly object[], object]>([
    ['an error', [{ type: 'error', error: new Error('Overloaded') }], { message: 'Overloaded' }],
    [
      'what is no error',
      [{ type: 'error', error: 'Overloaded' }],
      { message: 'The model failed: Overloaded', cause: 'Overloaded' },
    ],
    ['that it was aborted', [{ type: 'abort' }], { name: 'AbortError' }],
    ['an end in an error', [finish('error')], { message: expect.stringMatching(/gives no reason/) }],
  ])('fails with %s, even in the middle of a response', async (_what, parts, failure) => {
    for (const before of [[], [text('Your refund is n')]])
      await expect(read([...before, ...parts])).rejects.toMatchObject(failure)
  })

  const broken = { type: 'tool-error', toolCallId: 'a', toolName: 'look', error: new Error('no database') }
  test.each<[string, readonly object[]]>([
    ['failed', [{ type: 'tool-call', toolCallId: 'a' }, broken]],
    ['was approved and failed', [broken]],
    [
      'is unknown',
      [{ type: 'tool-input-start', id: 'a' }, { type: 'tool-call', toolCallId: 'a', invalid: true }, broken],
    ],
    ['failed behind a first result', [{ type: 'tool-result', toolCallId: 'a', preliminary: true }, broken]],
  ])('fails if there is no text and the only tool %s', async (_what, parts) => {
    await expect(read([...parts, finish('tool-calls')])).rejects.toMatchObject({
      message: 'The model failed: it ended (tool-calls) without text, and its tool "look" failed: no database',
      cause: { message: 'no database' },
    })
    expect(await read([...parts, text('Sorry'), finish('stop')])).toBe('Sorry')
  })

  test.each<[string, object]>([
    ['another one has done its work', { type: 'tool-result', toolCallId: 'b' }],
    ['another one waits for an approval', { type: 'tool-approval-request', approvalId: 'x' }],
    ['it was called again', { type: 'tool-call', toolCallId: 'b' }],
  ])('can be missing if a tool failed and %s', async (_what, part) => {
    expect(await read([broken, part, finish('stop')])).toBe('')
    expect(await read([part, broken, finish('stop')])).toBe('')
  })

  test('can be missing if a user has rejected the tool', async () => {
    expect(await read([{ type: 'tool-output-denied', toolCallId: 'a' }, finish('stop')])).toBe('')
  })

  test('fails if there is no text and no tool call', async () => {
    await expect(read([text(' '), finish('stop')])).rejects.toThrow(/ended \(stop\) without text/)
  })
})
