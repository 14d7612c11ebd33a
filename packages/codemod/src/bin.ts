#!/usr/bin/env node
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { moveProject } from './project/move-project.ts'

const usage = `Moves a project from @novu/framework to Trestle.

Usage: trestle-codemod [folder] [--dry] [--json]

  --dry   changes nothing, and says what it would change
  --json  prints the files and remarks as JSON

Exit status: 0, 1 if remarks are left for you or a file cannot be read or written, or 2 if the
command line is invalid.
`

interface CommandLine {
  readonly folder: string
  readonly isDry: boolean
  readonly isJson: boolean
}

/** Returns the options and the folder, or `help`. */
function parse(): CommandLine | 'help' {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { dry: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return 'help'
  const [folder = '.', ...others] = positionals
  if (others.length > 0) throw new TypeError('Give one folder at a time.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`The folder "${folder}" does not exist.`)
  return { folder, isDry: values.dry ?? false, isJson: values.json ?? false }
}

/** Moves the project, and returns the exit status. */
function move({ folder, isDry, isJson }: CommandLine): 0 | 1 {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const files = moveProject(folder, { version, isDry })
  const remarks = files.flatMap((file) => file.remarks.map(({ line, text }) => `${file.path}:${line}: ${text}`))
  if (isJson) process.stdout.write(`${JSON.stringify(files, null, 2)}\n`)
  else {
    for (const { path, isChanged } of files)
      if (isChanged) process.stdout.write(`${isDry ? 'would change' : 'changed'} ${path}\n`)
    for (const text of remarks) process.stdout.write(`check ${text}\n`)
    if (files.length === 0) process.stdout.write('No file imports @novu/framework.\n')
    else if (!isDry) process.stdout.write('Now install the packages and compile.\n')
  }
  return remarks.length > 0 ? 1 : 0
}

/** Calls a function. If it throws, prints the message and a hint, and sets the exit status. */
function attempt<T>(work: () => T, status: 1 | 2, hint = ''): T | undefined {
  try {
    return work()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${hint}`)
    process.exitCode = status
    return undefined
  }
}

const commandLine = attempt(parse, 2, `\n${usage}`)
if (commandLine === 'help') process.stdout.write(usage)
else if (commandLine) process.exitCode = attempt(() => move(commandLine), 1) ?? 1
