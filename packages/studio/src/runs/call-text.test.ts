import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurl, toTypeScript } from './call-text.ts'

const apiUrl = 'http://127.0.0.1:3737'
// A shell command cannot contain the NUL character; in JSON it is escaped.
const payload = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false }))
const body = fc.record({ name: fc.string(), to: fc.string({ unit: 'binary' }), payload })

test('the curl command sends the request unchanged, regardless of quoting', () => {
  fc.assert(
    // Many commands per shell, because starting a shell takes longer than running them.
    fc.property(fc.array(body, { minLength: 20, maxLength: 20 }), (bodies) => {
      const commands = bodies.map((asked) => toCurl(apiUrl, asked))
      const script = `curl() { printf '%s\\0' "\${@: -1}"; }\n${commands.join('\n')}`
      const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
      const read = sent.split('\0').slice(0, -1)
      expect(read.map((one) => JSON.parse(one))).toEqual(JSON.parse(JSON.stringify(bodies)))
    }),
    { numRuns: 3 },
  )
})

test('the TypeScript program sends the request unchanged', () => {
  fc.assert(
    fc.property(body, (asked) => {
      const source = toTypeScript(apiUrl, asked)
      const argument = source.slice(source.indexOf('trigger(') + 'trigger('.length, source.lastIndexOf(')'))
      const sent: unknown = new Function(`return ${argument}`)()
      expect(JSON.stringify(sent)).toBe(JSON.stringify({ body: JSON.parse(JSON.stringify(asked)) }))
    }),
  )
})
