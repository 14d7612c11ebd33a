#!/usr/bin/env node
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { moveProject } from './project/move-project.ts'

const usage = `Moves a project from @novu/framework to Trestle.

Usage: trestle-codemod [folder] [--dry] [--json]

  --dry   changes nothing, and says what it would change
  --json  prints the files and remarks as JSON

Exit status: 0, 1 if remarks are left for you, or 2 if the command line is invalid.
`

/** Runs the command, and returns its exit status. */
function run(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { dry: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const [folder = '.', ...others] = positionals
  if (others.length > 0) throw new TypeError('Give one folder at a time.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`The folder "${folder}" does not exist.`)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const files = moveProject(folder, { version, isDry: values.dry ?? false })
  const remarks = files.flatMap((file) => file.remarks.map(({ line, text }) => `${file.path}:${line}: ${text}`))
  if (values.json) process.stdout.write(`${JSON.stringify(files, null, 2)}\n`)
  else {
    for (const { path, isChanged } of files)
      if (isChanged) process.stdout.write(`${values.dry ? 'would change' : 'changed'} ${path}\n`)
    for (const text of remarks) process.stdout.write(`check ${text}\n`)
    if (files.length === 0) process.stdout.write('No file imports @novu/framework.\n')
    else if (!values.dry) process.stdout.write('Now install the packages and compile.\n')
  }
  return remarks.length > 0 ? 1 : 0
}

try {
  process.exitCode = run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 2
}
