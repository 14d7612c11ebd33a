import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Words that the studio does not show, each with the word that it uses instead. */
const instead: readonly (readonly [former: RegExp, word: string])[] = [
  [/(?:does|did) not answer|answered with/, 'does not respond, responded with'],
  [/title="[^"]*could not be/, "Couldn't …"],
  [/Couldn’t/, "Couldn't"],
  [/[Ee]mails?(?:,| and) texts/, 'SMS'],
  [/[\w}] refused\b/, 'rejected'],
  [/\b(?:Reply|the reply|Last answer)\b(?! to)/, 'response'],
  [/As received|Value here/, 'Preview, Value'],
  [/Remove (?:this|all) messages?/, 'Delete'],
]

test('uses one word for one thing', () => {
  const faults = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.includes('generated'))
    .flatMap((file) => {
      const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')
      return instead.flatMap(([former, word]) =>
        lines.flatMap((line, index) => (former.test(line) ? [`${file}:${index + 1}: ${word}: ${line.trim()}`] : [])),
      )
    })
  expect(faults).toEqual([])
})
