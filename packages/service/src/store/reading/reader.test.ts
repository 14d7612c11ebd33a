import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createReader } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-reader-'))
const fileOf = (name: string): string => join(folder, `${name}.db`)
/** Takes about a second. */
const slow = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n'

beforeAll(() => {
  for (const name of ['one', 'two']) {
    const database = new Database(fileOf(name))
    database.exec(`create table names (name text); insert into names values ('${name}')`)
    database.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('readers of a process', () => {
  it('read their own database with the same threads', async () => {
    const readers = ['one', 'two'].map((name) => createReader(fileOf(name)))
    for (let round = 0; round < 3; round++) {
      const rows = await Promise.all(readers.map((reader) => reader.read('select name from names', [])))
      expect(rows).toEqual([[{ name: 'one' }], [{ name: 'two' }]])
    }
    await Promise.all(readers.map((reader) => reader.close()))
  })

  it('do not end with another reader, even of the same database', async () => {
    const [first, second] = [createReader(fileOf('one')), createReader(fileOf('one'))]
    const running = first.read(slow, [])
    const rejected = expect(running).rejects.toThrow('The database was closed.')
    const other = second.read('select name from names', [])
    await first.close()
    await rejected
    expect(await other).toEqual([{ name: 'one' }])
    expect(await second.read('select ? as value', [7])).toEqual([{ value: 7 }])
    await second.close()
    await expect(first.read('select 1', [])).rejects.toThrow('The database is closed.')
  })

  it('keep their threads if they were created while others were closing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await Promise.all(['one', 'two'].map((name) => createReader(fileOf(name))).map((reader) => reader.close()))
      const reader = createReader(fileOf('one'))
      const running = reader.read(slow, [])
      vi.advanceTimersByTime(60_000)
      expect(await running).toEqual([{ 'max(i)': 3_000_000 }])
      await reader.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('report errors of the database, and read again afterwards', async () => {
    const reader = createReader(fileOf('two'))
    await expect(reader.read('select * from missing', [])).rejects.toThrow('no such table')
    expect(await reader.read('select name from names', [])).toEqual([{ name: 'two' }])
    await reader.close()
  })
})
