import { expect, test } from 'vitest'
import { keptTemplates, parseTemplate } from './template.ts'
import { templateEngine } from './template-engine.ts'

test('the cache contains few templates that need much memory', async () => {
  const engine = await templateEngine()
  const outputs = '{{a}}'.repeat(19_000)
  for (let index = 0; index < 4; index++) parseTemplate(`${outputs}${index}`, '/a', engine)
  expect(keptTemplates().count).toBe(2)
})
