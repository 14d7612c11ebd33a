import { sanitizeHtml } from '@trestle/core/html'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attacks } from '../../packages/html/src/clean/attacks.fixture.ts'
import { drawAttacks } from '../../packages/html/src/clean/drawn-attacks.fixture.ts'
import { findDangers, officeReadings, visibleText } from '../../packages/html/src/clean/html-dangers.fixture.ts'
import { draws } from '../scope.ts'
import { loadOwnMails, loadTemplates } from './templates/load-templates.ts'

const runs = draws(60, 300)
const maxLength = 12_000

/** A change at a position in the email: a part removed or moved, or an attack or a character inserted. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  taken: fc.nat({ max: 60 }),
  put: fc.oneof(
    fc.constant(''),
    fc.constantFrom(...attacks, ...drawAttacks()),
    fc.constantFrom(...'<>"\'=/-!{};:()[]\\*@&#x', '-->', '<!--', '*/', '</style>', '<![endif]-->'),
  ),
})

/**
 * Browsers differ in what ends an `svg`, `math` or `select` element, and an unclosed `xmp` shows the rest as source.
 */
const readVariously = /<(?:select|svg|math)\b|<xmp\b(?![\s\S]*<\/xmp[\s/>])/i

test('keeps the text of an email that was damaged or attacked anywhere, and leaves nothing executable', {
  timeout: 120_000 + runs * 50,
}, async () => {
  const mails = [...(await loadTemplates()), ...(await loadOwnMails())].map(({ html }) => html.slice(0, maxLength))
  fc.assert(
    fc.property(fc.constantFrom(...mails), fc.array(edit, { minLength: 1, maxLength: 6 }), (mail, edits) => {
      const html = edits.reduce((text, { at, taken, put }) => {
        const place = Math.floor(at * text.length)
        return text.slice(0, place) + put + text.slice(place + taken)
      }, mail)
      const clean = sanitizeHtml(html)
      expect(sanitizeHtml(clean)).toBe(clean)
      const dangers = [clean, ...officeReadings(clean)].flatMap((reading) => findDangers(reading))
      expect(dangers.filter((danger) => danger !== '<noscript>')).toEqual([])
      if (!readVariously.test(html)) expect(visibleText(clean).length).toBeGreaterThanOrEqual(visibleText(html).length)
      const message = sanitizeHtml(html, 'inApp')
      expect(sanitizeHtml(message, 'inApp')).toBe(message)
      expect(findDangers(message, true)).toEqual([])
    }),
    { numRuns: runs },
  )
})
