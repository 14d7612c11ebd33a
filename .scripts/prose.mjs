import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { remaining, rules } from './prose/rules.mjs'
import { textsOfCode, textsOfPage } from './prose/texts.mjs'

// npm run prose: checks the English of docs, comments and messages against prose/rules.mjs. It fails if there are more
// findings of a kind than `remaining` allows. With paths it checks only those files and prints every finding.

const paths = process.argv.slice(2)
const patterns = ['*.md', 'packages/*.ts', 'packages/*.tsx', ...paths]
const files = execFileSync('git', ['ls-files', ...(paths.length > 0 ? paths : patterns)], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:md|tsx?)$/.test(file) && !/\.d\.ts$|\/generated\/|^examples\//.test(file))

/** Returns all findings, each with file, line, kind of text, rule and the matched words. */
function findAll() {
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const texts = file.endsWith('.md') ? textsOfPage(source) : textsOfCode(source, file.endsWith('x'))
    return texts.flatMap(({ line, text, kind }) =>
      sentencesOf(text).flatMap((sentence) =>
        rules.flatMap((rule) =>
          (sentence.match(rule.pattern) ?? []).map((words) => ({ file, line, kind, rule, words: words.trim() })),
        ),
      ),
    )
  })
}

function sentencesOf(text) {
  return text.split(/(?<=[.!?:;]) (?=[A-Z"`*_(])/)
}

const findings = findAll()
const groups = new Map()
for (const finding of findings) {
  const key = `${finding.kind} ${finding.rule.name}`
  groups.set(key, [...(groups.get(key) ?? []), finding])
}

let isGood = true
for (const [key, group] of groups) {
  const [kind, name] = key.split(' ')
  const allowed = remaining[kind][name] ?? 0
  if (paths.length === 0 && group.length <= allowed) continue
  isGood = false
  const { reason, instead } = group[0].rule
  process.stdout.write(`\n${name} in ${kind}: ${group.length} found, ${allowed} allowed. ${reason}\n`)
  process.stdout.write(`  Instead of: ${instead[0]}\n  Write:      ${instead[1]}\n`)
  for (const { file, line, words } of group) process.stdout.write(`  ${file}:${line}  ${words.slice(0, 100)}\n`)
}
process.exitCode = isGood ? 0 : 1
