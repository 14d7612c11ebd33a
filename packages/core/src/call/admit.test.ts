import { describe, expect, test } from 'vitest'
import { admit } from './admit.ts'

const queryOf = (url: string): object =>
  admit({ method: 'POST', url, header: () => undefined, readBody: () => Promise.reject(new Error('no')) }).query

const empty = { workflowId: undefined, stepId: undefined, agentId: undefined, event: undefined }

describe('the query of a call', () => {
  test('gives the same result each time', () => {
    const url = '/api?action=execute&workflowId=a%20b&stepId=s#stepId=t'
    for (let count = 0; count < 3; count++)
      expect(queryOf(url)).toEqual({ ...empty, action: 'execute', workflowId: 'a b', stepId: 's' })
    expect(queryOf('http://a/api')).toEqual({ ...empty, action: 'health-check' })
  })

  test('is never mixed up with the query of another call, for any number of calls', () => {
    for (let round = 0; round < 2; round++)
      for (let index = 0; index < 2500; index++)
        expect(queryOf(`?action=preview&stepId=${index}`)).toEqual({ ...empty, action: 'preview', stepId: `${index}` })
  })

  test('cannot be changed for later calls', () => {
    expect(Object.isFrozen(queryOf('?action=execute&stepId=s'))).toBe(true)
  })

  test('is parsed even if it is long', () => {
    const id = 'x'.repeat(5000)
    for (let count = 0; count < 2; count++)
      expect(queryOf(`?workflowId=${id}`)).toEqual({ ...empty, action: 'health-check', workflowId: id })
  })
})
