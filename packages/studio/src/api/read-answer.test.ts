import { expect, test } from 'vitest'
import { readAnswer } from './api.ts'
import { ApiFailure } from './api-failure.ts'

test('unwraps { data }, but not pages', async () => {
  expect(await readAnswer(Response.json({ data: [1] }))).toEqual([1])
  expect(await readAnswer(Response.json({ data: [1], next: null }))).toEqual({ data: [1], next: null })
  expect(await readAnswer(new Response(''))).toBeUndefined()
})

test('reports a response that is not JSON, such as a page of a proxy', async () => {
  const failure = await readAnswer(new Response('<h1>Sign in</h1>')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ details: { status: 200 }, message: expect.stringContaining('not JSON') })
})
