import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { attacks } from './attacks.fixture.ts'
import { drawAttacks } from './drawn-attacks.fixture.ts'
import { findDangers, officeReadings, visibleText } from './html-dangers.fixture.ts'
import { sanitizeHtml } from './sanitize-html.ts'

const corpus = [...attacks, ...drawAttacks()]
const runs = draws(500, 50_000)

/** Returns what is wrong with a cleaned attack for an email; empty if nothing is. */
function faultsInMail(attack: string): string[] {
  const clean = sanitizeHtml(attack)
  const [revealedText = '', hidden = ''] = officeReadings(clean)
  // Inside an Office conditional comment `noscript` stays; its content is safe for clients with and without scripts.
  const faults = [clean, hidden, revealedText]
    .flatMap((reading) => findDangers(reading))
    .filter((fault) => fault !== '<noscript>')
  if (sanitizeHtml(clean) !== clean) faults.push(`not fixed: ${clean} / ${sanitizeHtml(clean)}`)
  return faults.length > 0 ? [attack, clean, ...faults] : []
}

/** Returns what is wrong with a cleaned attack for an app; empty if nothing is. */
function faultsInApp(attack: string): string[] {
  const clean = sanitizeHtml(attack, 'inApp')
  const faults = findDangers(clean, true)
  if (sanitizeHtml(clean, 'inApp') !== clean) faults.push(`not fixed: ${sanitizeHtml(clean, 'inApp')}`)
  for (const host of [
    '<div><section>$</section></div>',
    '<ul><li><div>$</div></li></ul>',
    '<table><tr><td>$</td></tr></table>',
  ]) {
    const [before = '', after = ''] = host.split('$')
    const around = serialize(parse(`${before}<i-mark></i-mark>${after}<b-after></b-after>`))
    const page = serialize(parse(`${before}<i-mark>${clean}</i-mark>${after}<b-after></b-after>`))
    const [start = '', end = ''] = around.split('<i-mark></i-mark>')
    if (!page.startsWith(`${start}<i-mark>`) || !page.endsWith(`</i-mark>${end}`))
      faults.push(`leaves ${host}: ${page}`)
  }
  return faults.length > 0 ? [attack, clean, ...faults] : []
}

test('the corpus has the stated size, and contains only attacks', () => {
  expect(new Set(corpus).size).toBeGreaterThan(10_000)
  const sample = corpus.filter((_attack, index) => index % 20 === 0)
  expect(sample.filter((attack) => findDangers(attack).length > 0).length).toBeGreaterThan(sample.length * 0.75)
})

test('a sanitized email contains no part of an attack', () => {
  expect(corpus.map(faultsInMail).filter(({ length }) => length > 0)).toEqual([])
})

test('sanitized in-app HTML contains no part of an attack, and nothing leaves its container', () => {
  expect(corpus.map(faultsInApp).filter(({ length }) => length > 0)).toEqual([])
})

test('all text that a client shows is kept', () => {
  // The allowed content of an option list differs between browsers.
  const inOptions = /<select>.*<(?:plaintext|style|keygen)/s
  const lost = corpus.flatMap((attack) => {
    if (inOptions.test(attack)) return []
    const source = `${attack}<p>after</p>`
    const [before, after] = [visibleText(source), visibleText(sanitizeHtml(source))]
    return before.length <= after.length ? [] : [[source, before, after]]
  })
  expect(lost).toEqual([])
})

test('random mutations of the attacks do not succeed either', { timeout: 120_000 + runs * 20 }, () => {
  const bits = corpus
    .filter((_attack, index) => index % 13 === 0)
    .flatMap((attack) => attack.split(/(?=[<>"'`=\s/;{}])/))
  const piece = fc.oneof(fc.constantFrom(...bits), fc.constantFrom(...corpus), fc.string({ maxLength: 3 }))
  const soup = fc.array(piece, { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(soup, (text) => {
      expect(faultsInMail(text)).toEqual([])
      expect(faultsInApp(text)).toEqual([])
    }),
    { numRuns: runs },
  )
})
