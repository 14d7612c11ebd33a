import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../packages/studio/dist/app/assets')
/** The shape of an icon, as its library writes it. */
const icon = /\["(?:path|circle|rect|line|polyline)",\{/
const leastBytes = 600

test('no file of the studio contains only an icon', () => {
  const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const texts = new Map(chunks.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const ofIcons = chunks.filter((name) => icon.test((texts.get(name) ?? '').replaceAll('`', '"')))
  expect(ofIcons.filter((name) => name.startsWith('icons-'))).toHaveLength(1)
  expect(ofIcons.filter((name) => (texts.get(name) ?? '').length < leastBytes)).toEqual([])
})
