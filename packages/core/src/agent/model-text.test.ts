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
  test('has a blank line between what two steps say, and none where one says nothing', async () => {
    const step = { type: 'start-step' }
    expect(await read([step, text('a'), text('b'), step, step, text('c'), finish('stop')])).toBe('ab\n\nc')
    expect(await read([step, step, text('a'), finish('stop')])).toBe('a')
  })

  test('may be missing where a tool was called', async () => {
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
    ['an end in an error', [finish('error')], { message: expect.stringMatching(/does not say why/) }],
  ])('fails with %s, in the middle of an answer too', async (_what, parts, failure) => {
    for (const before of [[], [text('Your refund is n')]])
      await expect(read([...before, ...parts])).rejects.toMatchObject(failure)
  })

  test('fails where nothing is said and no tool called', async () => {
    await expect(read([text(' '), finish('stop')])).rejects.toThrow(/ended \(stop\) without a text/)
  })
})
