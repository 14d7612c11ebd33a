import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isFromWorkflow } from './is-from-workflow.ts'
import { workflow } from './workflow.ts'

const shipped = workflow('order-shipped', () => undefined, { payloadSchema: z.object({ id: z.string() }) })

describe('isFromWorkflow', () => {
  it.each([
    ['an inbox item', { workflow: { identifier: 'order-shipped' } }],
    ['a notification', { workflowId: 'order-shipped' }],
    ['a message of the REST API', { templateIdentifier: 'order-shipped' }],
    [
      'an inbox item with the id of its record beside',
      { workflow: { identifier: 'order-shipped' }, workflowId: '65f' },
    ],
  ])('accepts %s', (_name, message) => {
    expect(isFromWorkflow(message, shipped)).toBe(true)
    expect(isFromWorkflow(message, 'order-shipped')).toBe(true)
    expect(isFromWorkflow(message, 'order')).toBe(false)
  })

  it.each([null, undefined, {}, { workflow: null }, { workflow: {} }, { workflowId: 'other' }])(
    'rejects %j',
    (message) => {
      expect(isFromWorkflow(message, shipped)).toBe(false)
    },
  )

  it('narrows the type of the payload', () => {
    const message: { workflowId: string; payload: Record<string, unknown> } = {
      workflowId: 'order-shipped',
      payload: { id: 'o-1' },
    }
    const id: string | undefined = isFromWorkflow(message, shipped) ? message.payload.id : undefined
    expect(id).toBe('o-1')
    const byId: string | undefined = isFromWorkflow<typeof shipped>(message, 'order-shipped')
      ? message.payload.id
      : undefined
    expect(byId).toBe('o-1')
  })
})
