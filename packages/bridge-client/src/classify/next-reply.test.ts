import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf } from '../../fixtures/client.ts'
import { json, serveHttp } from '../../fixtures/server.ts'

const step = { stepId: 'mail', type: 'email' }
const metadata = { status: 'success', error: false, duration: 1 }

const ask = async (body: unknown) => {
  const { port } = await serveHttp(json(200, body))
  return createTestClient({ port }).next({ workflowId: 'w', event: {} })
}

describe('a reply of next', () => {
  it.each([
    ['a step with its outputs', { step, outputs: {}, providers: {}, options: { skip: false }, metadata }],
    ['open steps', { open: [step, { stepId: 'wait', type: 'delay' }], metadata }],
    ['no open steps', { open: [], metadata }],
    ['the end', { done: true, metadata }],
    ['the end with handled failures', { done: true, handled: ['mail'], metadata }],
  ])('is accepted: %s', async (_what, body) => {
    await expect(ask(body)).resolves.toEqual(body)
  })

  it.each([
    ['the reply to a step', { outputs: {}, providers: {}, options: { skip: false }, metadata }],
    ['nothing', { metadata }],
    ['a run that is not done', { done: false, metadata }],
    ['handled failures that are a text', { done: true, handled: 'mail', metadata }],
    ['a handled failure that is a number', { done: true, handled: [1], metadata }],
    ['a done that is a text', { done: 'true', metadata }],
    ['two forms at once', { done: true, open: [], metadata }],
    ['a step and open steps', { step, outputs: {}, open: [], metadata }],
    ['a step and the end', { step, outputs: {}, done: true, metadata }],
    ['a step without outputs', { step, metadata }],
    ['a step without an id', { step: { type: 'email' }, outputs: {}, metadata }],
    ['a step of an empty id', { step: { stepId: '', type: 'email' }, outputs: {}, metadata }],
    ['a step of an unknown type', { step: { stepId: 'x', type: 'constructor' }, outputs: {}, metadata }],
    ['open steps that are an object', { open: { 0: step }, metadata }],
    ['an open step that is null', { open: [null], metadata }],
    ['an open step whose id is a number', { open: [{ stepId: 1, type: 'email' }], metadata }],
    ['one open step twice', { open: [step, step], metadata }],
  ])('is rejected: %s', async (_what, body) => {
    expect(await failureOf(ask(body))).toMatchObject({ code: 'ResponseParseError', status: 502 })
  })
})
