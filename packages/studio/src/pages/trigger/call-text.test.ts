import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurl, toTypeScript } from './call-text.ts'

const apiUrl = 'http://127.0.0.1:3737'
// A command of a shell cannot hold the character 0, which JSON writes with an escape anyway.
const payload = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false }))
const body = fc.record({ name: fc.string(), to: fc.string({ unit: 'binary' }), payload })

test('the command sends what was asked for, through any quoting', () => {
  fc.assert(
    fc.property(body, (asked) => {
      const script = `curl() { printf '%s' "\${@: -1}"; }; ${toCurl(apiUrl, asked)}`
      const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
      expect(JSON.parse(sent)).toEqual(JSON.parse(JSON.stringify(asked)))
    }),
    { numRuns: 60 },
  )
})

test('the program sends what was asked for', () => {
  fc.assert(
    fc.property(body, (asked) => {
      const source = toTypeScript(apiUrl, asked)
      const argument = source.slice(source.indexOf('trigger(') + 'trigger('.length, source.lastIndexOf(')'))
      const sent: unknown = new Function(`return ${argument}`)()
      expect(JSON.stringify(sent)).toBe(JSON.stringify({ body: JSON.parse(JSON.stringify(asked)) }))
    }),
  )
})
