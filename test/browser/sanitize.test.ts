import { sanitizeHtml } from '@trestle/core/html'
import { expect, test } from 'vitest'
import { attacks } from '../../packages/core/src/content/attacks.fixture.ts'
import { startChromium } from './chromium.ts'
import { tryOut, type Way } from './stage.ts'

const ways: readonly Way[] = ['innerHTML', 'document']

/** The texts that ran something, with what was seen. */
function executed(texts: readonly string[], seen: readonly string[][]): readonly [string, string[]][] {
  return texts.flatMap((text, index): [string, string[]][] => {
    const what = seen[index] ?? []
    return what.length > 0 ? [[text, what]] : []
  })
}

test.for(ways)(
  'nothing of a sanitized attack runs in a browser, set as %s',
  { timeout: 120_000 },
  async (way, context) => {
    const browser = await startChromium(context)
    try {
      for (const position of ['email', 'inApp'] as const) {
        const texts = attacks.map((attack) => sanitizeHtml(attack, position))
        expect(executed(texts, await tryOut(browser, texts, way))).toEqual([])
      }
    } finally {
      await browser.close()
    }
  },
)

test.for(ways)('attacks that are not sanitized do run, set as %s', { timeout: 120_000 }, async (way, context) => {
  const browser = await startChromium(context)
  try {
    // One in three is enough to show that the stage sees what runs.
    const texts = attacks.filter((_attack, index) => index % 3 === 0)
    const found = executed(texts, await tryOut(browser, texts, way))
    expect(found.length).toBeGreaterThan(texts.length / 3)
  } finally {
    await browser.close()
  }
})
