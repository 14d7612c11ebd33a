import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Writes the texts of packages/docs/errors.md as JSON, by code, so that tools show the same text as the page.

const page = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/docs/errors.md')
const target = resolve(process.argv[2] ?? 'dist/errors.json')
const plain = (text) => text.replaceAll(/\s+/g, ' ').trim()

const texts = {}
for (const part of readFileSync(page, 'utf8').split(/^## /m).slice(1)) {
  const [group = ''] = part.split('\n')
  for (const section of part.split(/^### /m).slice(1)) {
    const [, code = ''] = /^`(\w+)`/.exec(section) ?? []
    const line = (label) =>
      plain(new RegExp(`\\*\\*${label}:\\*\\* (.+?)(?=\\n- \\*\\*|\\n*$)`, 's').exec(section)?.[1] ?? '')
    const status = plain(/^`\w+`\n\n(.+?)\.\n/s.exec(section)?.[1] ?? '')
    texts[group.trim()] ??= {}
    texts[group.trim()][code] = { status, when: line('When'), why: line('Why'), fix: line('What to do') }
  }
}
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, `${JSON.stringify(texts, null, 1)}\n`)
