import { parse, parseExpression } from '@babel/parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveSource } from '../project/move-source.ts'
import { type Node, nameOf, nodesOf } from '../syntax/source.ts'

const goneNames = ['verbose', 'controllerDecorators']
const options = [
  'workflows: []',
  'apiUrl: "a, b"',
  'logger',
  'hooks: { a, b }',
  'verbose: true',
  'controllerDecorators: [a, b]',
]
const importLine = "import { Client, serve } from '@novu/framework/express'\n"

const space = fc.constantFrom('', ' ', '\n  ', '/* a, b */', ' // a, b\n', '\n// }\n  ', '\n  /* { */\n  ')
const objectText = fc
  .record({
    parts: fc.shuffledSubarray(options),
    spaces: fc.array(space, { minLength: 20, maxLength: 20 }),
    hasTrailing: fc.boolean(),
  })
  .map(({ parts, spaces, hasTrailing }) => {
    const next = (): string => spaces.pop() ?? ''
    const list = parts.map((part, index) => {
      const comma = index < parts.length - 1 || hasTrailing ? ',' : ''
      return `${next()}${part}${next()}${comma}`
    })
    return `{${list.join('')}${next()}}`
  })

const keysOf = (object: unknown): readonly (string | undefined)[] =>
  nodesOf((object as Node)['properties']).map(({ key }) => nameOf(key))
const commentsOf = (text: string): readonly string[] =>
  (parse(text, { sourceType: 'module' }).comments ?? []).map(({ value }) => value)

test.each([
  ['serve', (object: string) => `serve(${object})`, ['service']],
  ['a client', (object: string) => `f(new Client(${object}))`, []],
])('removes former options of %s, and keeps everything else', (_what, toCall, added) => {
  fc.assert(
    fc.property(objectText, (object) => {
      const { text } = moveSource(`${importLine}${toCall(object)}\n`, 'a.ts')
      const statement = parse(text, { sourceType: 'module' }).program.body.at(-1) as unknown as Node
      const [moved] = nodesOf((statement['expression'] as Node)['arguments'])
      const keys = keysOf(parseExpression(object))
      expect(keysOf(moved)).toEqual([...keys.filter((key) => !goneNames.includes(key ?? '')), ...added])
      // An object without properties is replaced.
      if (keys.length > 0) expect(commentsOf(text)).toEqual(commentsOf(`(${object})`))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['{ workflows, verbose: true }', '{ workflows, service: novu }'],
  ['{ verbose: true, workflows }', '{ workflows, service: novu }'],
  ['{ verbose: true }', '{ service: novu }'],
  ['{\n  verbose: true,\n  controllerDecorators: [],\n}', '{\n  service: novu\n}'],
  ['{\n  workflows,\n  verbose: true,\n  controllerDecorators: [],\n}', '{\n  workflows, service: novu,\n}'],
  ['{\n  workflows,\n  // quiet\n  verbose: true\n}', '{\n  workflows, service: novu\n  // quiet\n  \n}'],
])('formats %j as %j', (before, after) => {
  const { text } = moveSource(`${importLine}serve(${before})\n`, 'a.ts')
  expect(text).toContain(`serve(${after})`)
})
