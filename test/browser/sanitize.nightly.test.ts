import { sanitizeHtml } from '@trestle/core/html'
import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { attacks } from '../../packages/html/src/clean/attacks.fixture.ts'
import { drawAttacks } from '../../packages/html/src/clean/drawn-attacks.fixture.ts'
import { startChromium } from './chromium.ts'
import { tryOut, type Way } from './stage.ts'

const ways: readonly Way[] = ['innerHTML', 'document']

/** The inputs that ran something, with what was observed. */
function executed(texts: readonly string[], seen: readonly string[][]): readonly [string, string[]][] {
  return texts.flatMap((text, index): [string, string[]][] => {
    const what = seen[index] ?? []
    return what.length > 0 ? [[text, what]] : []
  })
}

test.for(ways)('no part of a sanitized attack runs in a browser, set as %s', async (way, context) => {
  const browser = await startChromium(context)
  try {
    for (const position of ['email', 'inApp'] as const) {
      const texts = attacks.map((attack) => sanitizeHtml(attack, position))
      expect(executed(texts, await tryOut(browser, texts, way))).toEqual([])
    }
  } finally {
    await browser.close()
  }
})

test.for(ways)('attacks that are not sanitized do run, set as %s', async (way, context) => {
  const browser = await startChromium(context)
  try {
    // One in three is enough to show that the stage detects executed code.
    const texts = attacks.filter((_attack, index) => index % 3 === 0)
    const executedAttacks = executed(texts, await tryOut(browser, texts, way))
    expect(executedAttacks.length).toBeGreaterThan(texts.length / 3)
  } finally {
    await browser.close()
  }
})

const drawn = drawAttacks()
/** One in this many generated attacks is tested. */
const everyNth = 2
const perPage = 50

/**
 * Parts of a corpus, many per page. If something was observed in a part, even a followed nested link, its inputs are
 * tested again one by one.
 */
async function tryMany(browser: Browser, texts: readonly string[]): Promise<readonly [string, string[]][]> {
  const pages = Array.from({ length: Math.ceil(texts.length / perPage) }, (_none, index) =>
    texts.slice(index * perPage, (index + 1) * perPage),
  )
  const lists = pages.map((page) => JSON.stringify(page))
  const seen = await tryOut(browser, lists, 'list')
  const suspects = pages.filter((_page, index) => (seen[index] ?? []).length > 0).flat()
  return executed(suspects, await tryOut(browser, suspects, 'innerHTML'))
}

test('generated attacks do not run once they are sanitized', { timeout: 300_000 }, async (context) => {
  const browser = await startChromium(context)
  try {
    for (const position of ['email', 'inApp'] as const) {
      const texts = drawn
        .filter((_attack, index) => index % everyNth === 0)
        .map((attack) => sanitizeHtml(attack, position))
      expect(texts.length).toBeGreaterThan(8000 / everyNth)
      expect(await tryMany(browser, texts)).toEqual([])
      const documents = texts.filter((_text, index) => index % 20 === 0)
      expect(executed(documents, await tryOut(browser, documents, 'document'))).toEqual([])
    }
  } finally {
    await browser.close()
  }
})

test('generated attacks run if they are not sanitized', async (context) => {
  const browser = await startChromium(context)
  try {
    const texts = drawn.filter((_attack, index) => index % 97 === 0)
    const executedAttacks = executed(texts, await tryOut(browser, texts, 'innerHTML'))
    expect(executedAttacks.length).toBeGreaterThan(texts.length / 10)
    const [page] = [JSON.stringify(texts)]
    expect((await tryOut(browser, [page], 'list'))[0]?.length).toBeGreaterThan(0)
  } finally {
    await browser.close()
  }
})
