import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { withSpan } from './spans.ts'
import { fromStoredTrace, readTraceHeaders, toStoredTrace, toTraceHeaders } from './trace-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const valid = `00-${traceId}-${spanId}-01`
const read = (traceparent: string, tracestate = '') => readTraceHeaders({ traceparent, tracestate })

test('reads the headers of a caller', () => {
  const context = read(valid, 'a=1,b=2') ?? ROOT_CONTEXT
  expect(trace.getSpanContext(context)).toMatchObject({ traceId, spanId, traceFlags: 1, isRemote: true })
  expect(toTraceHeaders(context)).toEqual({ traceparent: valid, tracestate: 'a=1,b=2' })
  expect(read(`cc-${traceId}-${spanId}-01-later`)).toBeDefined()
})

test.each([
  ['nothing', ''],
  ['upper case', valid.toUpperCase()],
  ['an unknown field of version 00', `${valid}-x`],
  ['the reserved version', `ff-${traceId}-${spanId}-01`],
  ['an empty trace id', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['an empty span id', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['a second line', `${valid}\n`],
  ['two headers', `${valid},${valid}`],
])('ignores invalid headers: %s', (_what, traceparent) => {
  expect(read(traceparent)).toBeUndefined()
  expect(toStoredTrace(fromStoredTrace(traceparent))).toBeNull()
})

test('ignores a state that is too long or invalid, but continues the trace', () => {
  for (const state of [`a=${'x'.repeat(600)}`, '=', 'a=\u0000', 'é=1'])
    expect(toTraceHeaders(read(valid, state))).toEqual({ traceparent: valid })
})

test('stored contexts are bounded and survive', () => {
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
  const state = fc.array(fc.stringMatching(/^[a-z]{1,9}=[!#-+.-9;-~ ]{0,40}[!#-+.-9;-~]$/), { maxLength: 40 })
  fc.assert(
    fc.property(hex(32), hex(16), fc.boolean(), state, (someTrace, someSpan, isSampled, entries) => {
      const context = read(`00-${someTrace}-${someSpan}-0${isSampled ? 1 : 0}`, entries.join(','))
      const stored = toStoredTrace(context ?? ROOT_CONTEXT)
      if (stored === null) return expect(context).toBeUndefined()
      expect(stored.length).toBeLessThanOrEqual(568)
      expect(toTraceHeaders(fromStoredTrace(stored))).toEqual(context && toTraceHeaders(context))
    }),
    { numRuns: draws(200, 20_000) },
  )
})

test('without an SDK, spans have no context, so none is stored or sent', async () => {
  const traceValues = await withSpan({ name: 'x' }, async () => [toTraceHeaders(), toStoredTrace()])
  expect(traceValues).toEqual([undefined, null])
})

test('without an SDK, errors of the work are passed on', async () => {
  const work = withSpan({ name: 'x' }, () => Promise.reject(new RangeError('no')))
  await expect(work).rejects.toThrow('no')
})
