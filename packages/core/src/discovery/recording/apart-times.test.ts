import { expect, test } from 'vitest'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { createNotedTexts, type NotedText } from '../samples/variation/noted-texts.ts'
import type { PlaceRead, Variation } from '../samples/variation/variation.ts'
import { withApartTimes } from './apart-times.ts'

const run = ({ payload }: { payload: { from: string; to: string } }): boolean => {
  const days = (Date.parse(payload.to) - Date.parse(payload.from)) / 86_400_000
  return days > 7
}
// Of a workflow only the source text is read.
const workflow = { run } as unknown as RegisteredWorkflow
const variation: Variation = { base: 'fullest', changes: new Map() }
const moment: NotedText = { text: '2026-05-04T10:00:00.000Z', schema: { type: 'string', format: 'date-time' } }
const day: NotedText = { text: '2026-05-04', schema: { type: 'string', format: 'date' } }
const number: PlaceRead = { count: 1, literals: [], isAside: false, isList: false, chosen: 0, times: 1 }

/** The places that are set apart, and the texts that they have then. */
function apartOf(texts: Readonly<Record<string, NotedText>>, reads: Readonly<Record<string, PlaceRead>> = {}) {
  const noted = createNotedTexts()
  for (const [path, one] of Object.entries(texts)) noted.note(path, one)
  const all = withApartTimes(workflow, variation, { reads: new Map(Object.entries(reads)), noted })
  return [...all].flatMap(([path, { texts: made }]) => (path.startsWith('apart:') ? [{ path, texts: made }] : []))
}

/** The pairs, without which distance it is. */
const pairsOf = (found: ReturnType<typeof apartOf>): readonly string[] => [
  ...new Set(found.map(({ path }) => path.replace(/^apart:\d+:/, ''))),
]

test('two times are set as far apart as the function asks, either way round', () => {
  const found = apartOf({ 'payload/from': moment, 'payload/to': moment })
  expect(pairsOf(found)).toEqual(['payload/from payload/to'])
  const made = found.map(({ texts }) => texts?.get('payload/to'))
  expect(made).toEqual(expect.arrayContaining(['2026-05-12T10:00:00.000Z', '2026-04-26T10:00:00.000Z']))
})

test('those of one item of a list are, and those of two are not', () => {
  const paths = ['payload/legs/0/from', 'payload/legs/0/to', 'payload/legs/1/from', 'payload/legs/1/to']
  expect(pairsOf(apartOf(Object.fromEntries(paths.map((path) => [path, moment]))))).toEqual([
    'payload/legs/0/from payload/legs/0/to',
    'payload/legs/1/from payload/legs/1/to',
  ])
})

test('a number and a date are not', () => {
  expect(apartOf({ 'payload/from': moment }, { 'payload/to': number })).toEqual([])
  expect(pairsOf(apartOf({}, { 'payload/from': number, 'payload/to': number }))).toEqual(['payload/from payload/to'])
})

test('what others lie within is no time', () => {
  const deep = { 'payload/from': {}, 'payload/from/to': moment, 'payload/to': moment }
  expect(apartOf(deep)).toEqual([])
})

test('a day stays a day, and a text that there is already is none to try', () => {
  const found = apartOf({ 'payload/from': day, 'payload/to': day })
  const made = found.flatMap(({ texts }) => [...(texts?.values() ?? [])])
  expect(made.length).toBeGreaterThan(2)
  expect(made.filter((text) => !/^\d{4}-\d\d-\d\d$/.test(text))).toEqual([])
  // Half a day behind midnight is the same day.
  expect(made).not.toContain('2026-05-04')
})

test('what is absent has the form that its schema says', () => {
  const { schema } = day
  const made = apartOf({ 'payload/from': { schema }, 'payload/to': { schema } }).flatMap(({ texts }) => [
    ...(texts?.values() ?? []),
  ])
  expect(made.length).toBeGreaterThan(2)
  expect(made.filter((text) => !/^\d{4}-\d\d-\d\d$/.test(text))).toEqual([])
})
