import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Break {
  readonly area: string
  readonly file: string
  readonly find: string
}

const load = async (name: string): Promise<Readonly<Record<string, readonly Break[]>>> =>
  await import(new URL(name, import.meta.url).href)

// Only the nightly run tries them; a rename would go unnoticed until then.
test.each(['daily', 'security'])(
  'the search text of each deliberate break of the %s table occurs exactly once in its file',
  async (table) => {
    const breaks = (await load(`${table}-breaks.mjs`))[`${table}Breaks`] ?? []
    expect(breaks.length).toBeGreaterThan(0)
    for (const { area, file, find } of breaks)
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(find), area).toHaveLength(2)
  },
)
