import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Writes the user documentation as JSON, one row per section, so that tools can search it offline.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = resolve(process.argv[2] ?? 'dist/docs.json')
/** Pages about the repository itself, which are not indexed. */
const internal = ['architecture.md', 'performance.md']
/** The maximum length of a section; longer ones are split between paragraphs. */
const maxLength = 3000

const pages = [
  ...readdirSync(join(root, 'packages/docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !internal.includes(name) && !/^(node_modules|api)\//.test(name))
    .map((name) => `packages/docs/${name}`),
  ...readdirSync(join(root, 'packages'))
    .filter((name) => name !== 'docs')
    .map((name) => `packages/${name}/README.md`)
    .filter((page) => existsSync(join(root, page))),
].sort()

function* sectionsOf(page) {
  const headings = []
  let lines = []
  let inCode = false
  const flush = function* () {
    const title = headings.filter(Boolean).join(' › ')
    for (const text of split(lines)) yield { page, title, text }
    lines = []
  }
  for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
    if (/^\s*```/.test(line)) inCode = !inCode
    const [, marks, heading] = (!inCode && /^(#{1,4}) (.+)$/.exec(line)) || []
    if (marks === undefined) {
      lines.push(line)
      continue
    }
    yield* flush()
    headings.length = marks.length
    headings[marks.length - 1] = heading.replaceAll('`', '').trim()
  }
  yield* flush()
}

/**
 * Splits lines between paragraphs, tables and code blocks, which stay whole unless one of them is too long by itself.
 */
function* split(lines) {
  let text = ''
  for (const block of blocksOf(lines).flatMap((one) => (one.length > maxLength ? linesOf(one) : [one]))) {
    if (text !== '' && text.length + block.length > maxLength) {
      yield text.trim()
      text = ''
    }
    text += `${block}\n\n`
  }
  if (text.trim() !== '') yield text.trim()
}

function blocksOf(lines) {
  const blocks = []
  const block = []
  let inCode = false
  for (const line of lines) {
    if (/^\s*```/.test(line)) inCode = !inCode
    if (line.trim() !== '' || inCode) block.push(line)
    else if (block.length > 0) blocks.push(block.splice(0).join('\n'))
  }
  return block.length > 0 ? [...blocks, block.join('\n')] : blocks
}

function linesOf(block) {
  const parts = ['']
  for (const line of block.split('\n'))
    if (parts.at(-1).length + line.length > maxLength) parts.push(line)
    else parts[parts.length - 1] += `${parts.at(-1) === '' ? '' : '\n'}${line}`
  return parts
}

mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, JSON.stringify(pages.flatMap((page) => [...sectionsOf(page)])))
