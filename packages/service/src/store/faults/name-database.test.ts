import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { startService } from '../../start/start-service.ts'

async function startOn(
  prepare: (file: string) => (() => void) | undefined,
): Promise<{ message: string; file: string }> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-broken-'))
  const file = join(dataFolder, 'service.db')
  const end = prepare(file)
  try {
    const service = await startService({ port: 0, dataFolder, logLevel: 'silent' })
    await service.stop()
    return { message: 'it started', file }
  } catch (error) {
    return { message: (error as Error).message, file }
  } finally {
    end?.()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const fill = (file: string): Database.Database => {
  const database = new Database(file)
  database.exec('create table t (a text); create index i on t (a)')
  for (let at = 0; at < 200; at++) database.prepare('insert into t values (?)').run(`${at}`.repeat(500))
  return database
}

test.each<[string, (file: string) => (() => void) | undefined, string, string]>([
  ['no database', (file) => void writeFileSync(file, 'x'.repeat(5000)), 'not a database', 'Restore a backup of it'],
  [
    'cut short',
    (file) => {
      fill(file).close()
      truncateSync(file, 9000)
    },
    'malformed',
    'Restore a backup of it',
  ],
  ['a folder', (file) => void mkdirSync(file), 'could not be opened', 'must be a file'],
])('reports a database that is %s, with a fix', async (_name, prepare, why, cure) => {
  const { message, file } = await startOn(prepare)
  expect(message).toContain(`The database ${file} cannot be used: `)
  expect(message).toContain(why)
  expect(message).toContain(cure)
})
