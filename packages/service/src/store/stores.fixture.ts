import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject, type TestContext } from 'vitest'
import { createId } from './create-id.ts'
import { migrate } from './migrate.ts'
import { openStore } from './open-store.ts'
import type { Store, StoreDriver } from './store.ts'

/** Where a test's database is. */
export interface DatabaseAddress {
  /** Address of a PostgreSQL database. */
  readonly databaseUrl?: string
  /** File of an embedded database. */
  readonly databaseFile: string
}

/** An empty database of one driver, removed when the test that asked for it ends. */
export interface TestDatabase {
  /** Where it is: several stores, and several processes, may open it. */
  readonly address: DatabaseAddress
  /** Opens it once more; closed by the end of the test. */
  open(): Store
}

/** Both drivers, for `describe.each`. */
export const drivers: readonly StoreDriver[] = ['sqlite', 'postgres']

/**
 * Creates an empty database. The test is skipped where there is no PostgreSQL, except in CI, where it fails.
 *
 * @param context - The context of the test, or of a hook: what it opens is closed at its end.
 */
export async function createDatabase(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
): Promise<TestDatabase> {
  const { address, remove } = driver === 'sqlite' ? createFile() : await createOnServer(context)
  const stores: Store[] = []
  context.onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await remove()
  })
  return {
    address,
    open() {
      const store = openStore({ ...address, maxConnections: 10 })
      stores.push(store)
      return store
    },
  }
}

/** Creates an empty database, opens and migrates it. */
export async function createStore(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
): Promise<Store> {
  const database = await createDatabase(driver, context)
  const store = database.open()
  await migrate(store)
  return store
}

interface Created {
  readonly address: DatabaseAddress
  readonly remove: () => Promise<void>
}

function createFile(): Created {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-store-'))
  return {
    address: { databaseFile: join(folder, 'trestle.db') },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function createOnServer(context: Pick<TestContext, 'skip'>): Promise<Created> {
  const folder = await askForServer()
  if (folder === '') {
    if (process.env['CI']) throw new Error('PostgreSQL 15 or later is missing: apt-get install postgresql')
    context.skip('PostgreSQL is not installed')
  }
  const name = `t${createId(Date.now())}`
  const urlOf = (database: string): string =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`
  await onServer(urlOf('postgres'), `create database ${name}`)
  return {
    address: { databaseUrl: urlOf(name), databaseFile: '' },
    remove: () => onServer(urlOf('postgres'), `drop database if exists ${name} with (force)`),
  }
}

async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const store = openStore({ databaseUrl, databaseFile: '', maxConnections: 1 })
  try {
    await sql.raw(statement).execute(store.db)
  } finally {
    await store.close()
  }
}

function askForServer(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(inject('postgresDoor'))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', reject)
    socket.on('end', () => {
      if (answer.startsWith('!')) reject(new Error(answer.slice(1)))
      else resolve(answer.trim())
    })
  })
}
