import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quietEnvironment, root } from './prepare.mjs'

/**
 * Runs the tests and returns the results of their files, as `test/results.ts` writes them.
 *
 * @param {readonly string[]} args - Additional command-line arguments for Vitest.
 * @param {NodeJS.ProcessEnv} [env] - Variables in addition to those of this process.
 */
export async function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-test-'))
  const place = join(folder, 'results.json')
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const child = spawn(vitest, ['run', '--config', 'test/vitest.config.ts', ...args], {
    cwd: root,
    env: { ...quietEnvironment, ...env, TEST_RESULTS_FILE: place },
    stdio: 'inherit',
  })
  const status = await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const files = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : []
  rmSync(folder, { recursive: true })
  return { status, files }
}

/**
 * Adds up the results of files by folder, slowest first.
 *
 * @param {readonly object[]} files - The results of each file.
 */
export function toFolders(files) {
  const folders = new Map()
  for (const { file, ...counts } of files) {
    const name = folderOf(file)
    const sum = folders.get(name) ?? { name, files: 0, durationMs: 0, passed: 0, failed: 0, skipped: 0 }
    sum.files++
    for (const [key, value] of Object.entries(counts)) sum[key] += value
    folders.set(name, sum)
  }
  return [...folders.values()].sort((a, b) => b.durationMs - a.durationMs)
}

/**
 * Returns the folder for a file: the first folder in `test/`, or the first two in a package, such as
 * `packages/core/discovery`.
 */
function folderOf(file) {
  const parts = file.replace('/src/', '/').split('/').slice(0, -1)
  return parts.slice(0, parts[0] === 'test' ? 2 : 3).join('/')
}

/**
 * Formats rows as lines with aligned columns: the first to the left, the others to the right.
 *
 * @param {readonly (readonly string[])[]} rows - The rows, with the same number of cells.
 */
export function toTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))))
    .map((row) => `${row.join('  ').trimEnd()}\n`)
    .join('')
}

/** @param {number} durationMs - A duration in milliseconds. */
export function toSeconds(durationMs) {
  return `${(durationMs / 1000).toFixed(1)} s`
}
