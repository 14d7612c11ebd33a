import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject, type TestContext } from 'vitest'
import { createDatabaseFolder } from '../../../../test/database-folder.ts'
import { isNightly } from '../../../../test/scope.ts'
import { createId } from './create-id.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { openStore } from './open-store.ts'
import type { Store, StoreDriver } from './store.ts'

/** The location of a test database. */
export interface DatabaseAddress {
  /** The URL of a PostgreSQL database. */
  readonly databaseUrl?: string
  /** The file of an embedded database. */
  readonly databaseFile: string
}

/** A database of one driver, removed at the end of the test that requested it. */
export interface TestDatabase {
  /** Its location, so that several stores and processes can open it. */
  readonly address: DatabaseAddress
  /** Opens another connection that is closed at the end of the test. */
  open(): Store
}

/** Both drivers, for tests of the store, the queue or the engine. For `describe.each`. */
export const bothDrivers: readonly StoreDriver[] = ['sqlite', 'postgres']

/** For tests that do not target SQL: the embedded database in the daily run, both in the nightly run. */
export const drivers: readonly StoreDriver[] = isNightly ? bothDrivers : ['sqlite']

/** The parts of a test's or hook's context that a database needs. */
type DatabaseContext = Pick<TestContext, 'onTestFinished' | 'skip'>

/**
 * Creates a migrated database without rows, as a copy of a template. Without PostgreSQL the test is skipped, except in
 * CI, where it fails.
 *
 * @param context - The context of the test or hook that closes everything when it ends.
 */
export function createDatabase(driver: StoreDriver, context: DatabaseContext): Promise<TestDatabase> {
  return openCreated(driver === 'sqlite' ? copyFileTemplate() : copyServerTemplate(context), context)
}

/** Creates a database without tables, for tests of the migrations. */
export function createEmptyDatabase(driver: StoreDriver, context: DatabaseContext): Promise<TestDatabase> {
  return openCreated(driver === 'sqlite' ? createFile() : createOnServer(context), context)
}

/** Creates a migrated database and opens it. */
export async function createStore(driver: StoreDriver, context: DatabaseContext): Promise<Store> {
  return (await createDatabase(driver, context)).open()
}

interface Created {
  readonly address: DatabaseAddress
  readonly remove: () => Promise<void>
}

async function openCreated(created: Created | Promise<Created>, context: DatabaseContext): Promise<TestDatabase> {
  const { address, remove } = await created
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

function createFile(): Created {
  const folder = createDatabaseFolder('trestle-store')
  return {
    address: { databaseFile: join(folder, 'trestle.db') },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

let fileTemplate: Promise<Buffer> | undefined

async function copyFileTemplate(): Promise<Created> {
  fileTemplate ??= createFileTemplate()
  const created = createFile()
  writeFileSync(created.address.databaseFile, await fileTemplate, { mode: 0o600 })
  return created
}

async function createFileTemplate(): Promise<Buffer> {
  const { address, remove } = createFile()
  await fill(address)
  const bytes = readFileSync(address.databaseFile)
  await remove()
  return bytes
}

/** The template's name depends on the migrations, because the server keeps running in watch mode. */
const templateName = `template_${createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16)}`

let serverTemplate: Promise<void> | undefined

async function copyServerTemplate(context: DatabaseContext): Promise<Created> {
  const folder = await findServer(context)
  serverTemplate ??= createServerTemplate(folder)
  await serverTemplate
  return createOnServer(context, `template ${templateName}`)
}

/** One test process creates the template, and the others wait. */
async function createServerTemplate(folder: string): Promise<void> {
  const store = openStore({ databaseUrl: urlOf(folder, 'postgres'), databaseFile: '', maxConnections: 1 })
  const isThere = async (name: string): Promise<boolean> =>
    (await sql`select 1 from pg_database where datname = ${name}`.execute(store.db)).rows.length > 0
  try {
    await sql`select pg_advisory_lock(1)`.execute(store.db)
    if (await isThere(templateName)) return
    const draft = `${templateName}_draft`
    await sql.raw(`drop database if exists ${draft} with (force)`).execute(store.db)
    await sql.raw(`create database ${draft}`).execute(store.db)
    await fill({ databaseUrl: urlOf(folder, draft), databaseFile: '' })
    await sql.raw(`alter database ${draft} rename to ${templateName}`).execute(store.db)
  } finally {
    await store.close()
  }
}

/** Creates all tables of a database. */
async function fill(address: DatabaseAddress): Promise<void> {
  const store = openStore(address)
  await migrate(store)
  await store.close()
}

async function createOnServer(context: Pick<TestContext, 'skip'>, template = ''): Promise<Created> {
  const folder = await findServer(context)
  const name = `t${createId(Date.now())}`
  await onServer(folder, `create database ${name} ${template}`)
  return {
    address: { databaseUrl: urlOf(folder, name), databaseFile: '' },
    remove: () => onServer(folder, `drop database if exists ${name} with (force)`),
  }
}

function urlOf(folder: string, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`
}

async function onServer(folder: string, statement: string): Promise<void> {
  const store = openStore({ databaseUrl: urlOf(folder, 'postgres'), databaseFile: '', maxConnections: 1 })
  try {
    await sql.raw(statement).execute(store.db)
  } finally {
    await store.close()
  }
}

async function findServer(context: Pick<TestContext, 'skip'>): Promise<string> {
  const folder = await askForServer()
  if (folder !== '') return folder
  if (process.env['CI']) throw new Error('PostgreSQL 15 or later is missing: apt-get install postgresql')
  return context.skip('PostgreSQL is not installed')
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
