import { expect, test } from 'vitest'
import { compileSchema } from '../../packages/core/src/schema/compile-schema.ts'
import type { Schema } from '../../packages/core/src/schema/schema-types.ts'
import { type Draft, readSuite, type SuiteGroup } from './suite.ts'

// All deviations are listed, so that every change is noticed.
interface Score {
  /** How many values are validated correctly. */
  readonly right: number
  /** How many values are skipped because their schema is rejected, mostly for references outside the document. */
  readonly refused: Readonly<Record<string, number>>
  /** How many values are validated incorrectly. */
  readonly wrong: Readonly<Record<string, number>>
}

// These four formats describe non-ASCII text, and are not validated.
const uncheckedFormats = { 'idn-email': 2, 'idn-hostname': 29, iri: 4, 'iri-reference': 2 }
// A missing property gets its default before validation, here an invalid one.
const invalidDefaults = { default: 3 }
// A meta-schema without the keywords for validation.
const customVocabulary = { vocabulary: 1 }

const expected: readonly [Draft, string, Score][] = [
  ['draft4', '', { right: 554, refused: { definitions: 2, ref: 2, refRemote: 17 }, wrong: invalidDefaults }],
  // In JavaScript, 1.0 is an integer.
  ['draft4', 'optional', { right: 96, refused: {}, wrong: { zeroTerminatedFloats: 1 } }],
  ['draft4', 'optional/format', { right: 146, refused: {}, wrong: {} }],
  ['draft7', '', { right: 833, refused: { definitions: 2, ref: 2, refRemote: 21 }, wrong: invalidDefaults }],
  // `contentMediaType` describes the content of a string, and is not validated.
  ['draft7', 'optional', { right: 102, refused: { 'cross-draft': 2 }, wrong: { content: 4 } }],
  ['draft7', 'optional/format', { right: 377, refused: {}, wrong: uncheckedFormats }],
  [
    'draft2019-09',
    '',
    {
      right: 1113,
      refused: { anchor: 3, defs: 2, id: 13, recursiveRef: 9, ref: 3, refRemote: 29 },
      wrong: { ...invalidDefaults, ...customVocabulary },
    },
  ],
  ['draft2019-09', 'optional', { right: 139, refused: { 'cross-draft': 3 }, wrong: {} }],
  ['draft2019-09', 'optional/format', { right: 423, refused: {}, wrong: uncheckedFormats }],
  [
    'draft2020-12',
    '',
    {
      right: 1100,
      refused: { anchor: 3, defs: 2, dynamicRef: 22, id: 13, ref: 3, refRemote: 29 },
      wrong: { ...invalidDefaults, ...customVocabulary },
    },
  ],
  ['draft2020-12', 'optional', { right: 143, refused: { 'cross-draft': 1, 'ecmascript-regex': 1 }, wrong: {} }],
  ['draft2020-12', 'optional/format', { right: 430, refused: {}, wrong: uncheckedFormats }],
]

test.for(expected)('the official suite: %s %s', async ([draft, folder, score], context) => {
  expect(await judge(readSuite(context, draft, folder))).toEqual(score)
})

async function judge(groups: readonly SuiteGroup[]): Promise<Score> {
  let right = 0
  const refused: Record<string, number> = {}
  const wrong: Record<string, number> = {}
  const add = (counts: Record<string, number>, file: string, count: number): void => {
    counts[file] = (counts[file] ?? 0) + count
  }
  for (const { file, schema, tests } of groups) {
    const check = compile(schema)
    if (!check) add(refused, file, tests.length)
    else
      for (const { data, valid } of tests)
        if ((await check(data)) === valid) right++
        else add(wrong, file, 1)
  }
  return { right, refused, wrong }
}

/** Returns a function that validates a value; undefined if the schema is rejected for its references. */
function compile(schema: unknown): ((value: unknown) => Promise<boolean>) | undefined {
  try {
    const compiled = compileSchema(schema as Schema)
    return async (value) => !(await compiled.check(value)).issues
  } catch (error) {
    expect((error as Error).message).toMatch(/which is not in the schema|which matches several subschemas/)
    return undefined
  }
}
