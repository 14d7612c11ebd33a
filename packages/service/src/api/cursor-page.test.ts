import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { writeCursor } from './cursor.ts'
import { type CursorQuery, maxTotalCount, readCursorPage } from './cursor-page.ts'

describe.each(bothDrivers)('cursor pages (%s)', (driver) => {
  test('reach every item once, forwards and backwards, in every order', async (context) => {
    const store = await createStore(driver, context)
    let number = 0
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom<'ASC' | 'DESC'>('ASC', 'DESC'),
      fc.constantFrom(undefined, 'createdAt'),
      async (times, limit, orderDirection, orderBy) => {
        const environmentId = `e${number++}`
        const rows = times.map((createdAt, index) => ({
          id: `${environmentId}-${String(index).padStart(3, '0')}`,
          environmentId,
          name: `${index}`,
          createdAt,
          updatedAt: 0,
        }))
        if (rows.length > 0) await store.db.insertInto('workflowGroups').values(rows).execute()
        const sign = orderDirection === 'ASC' ? 1 : -1
        const expected = [...rows]
          .sort((a, b) => sign * ((orderBy ? a.createdAt - b.createdAt : 0) || (a.id < b.id ? -1 : 1)))
          .map(({ id }) => id)
        const read = (query: Partial<CursorQuery>) =>
          readCursorPage<{ readonly id: string }>(
            store.db,
            {
              from: sql`"workflowGroups"`,
              select: sql`*`,
              where: [sql`"environmentId" = ${environmentId}`],
              id: sql`"id"`,
              order: { createdAt: sql`"createdAt"` },
            },
            { limit, orderDirection, orderBy, ...query },
          )
        const forwards: string[][] = []
        for (let after: string | null = null; ; ) {
          const page: Awaited<ReturnType<typeof read>> = await read(after === null ? {} : { after })
          expect(page).toMatchObject({ totalCount: rows.length, totalCountCapped: false })
          expect(page.previous === null).toBe(after === null || page.data.length === 0)
          forwards.push(page.data.map(({ id }) => id))
          if (page.next === null) break
          after = page.next
        }
        expect(forwards.flat()).toEqual(expected)
        expect(forwards.slice(0, -1).every((page) => page.length === limit)).toBe(true)
        const backwards: string[][] = []
        for (let before = expected.at(-1); before !== undefined; ) {
          const page = await read({ before })
          backwards.unshift(page.data.map(({ id }) => id))
          expect(page.next === null).toBe(page.data.length === 0)
          if (page.previous === null) break
          before = page.previous
        }
        expect(backwards.flat()).toEqual(expected.slice(0, -1))
        const [first] = expected
        if (first !== undefined) {
          const start = await read({ after: first, includeCursor: true })
          expect([start.data[0]?.id, start.previous]).toEqual([first, null])
          const end = await read({ before: expected.at(-1), includeCursor: true })
          expect([end.data.at(-1)?.id, end.next]).toEqual([expected.at(-1), null])
        }
        // A bare identifier and a cursor lead to the same position.
        for (const [index, id] of expected.entries()) {
          const { data } = await read({ after: id })
          expect(data.map((row) => row.id)).toEqual(expected.slice(index + 1, index + 1 + limit))
        }
        const unknown = ['unknown', 'c1.', 'c1.x', writeCursor('updatedAt', { id: 'unknown', position: 1 })]
        for (const after of [...unknown, writeCursor(orderBy ?? '', { id: 5 as never, position: 1 })])
          expect(await read({ after })).toEqual({
            data: [],
            next: null,
            previous: null,
            totalCount: 0,
            totalCountCapped: false,
          })
        // A page after a position without any items before it is the first one.
        const [lowest, , afterThat] = expected
        if (afterThat !== undefined) {
          const { next } = await read({ limit: 1 })
          await store.db
            .deleteFrom('workflowGroups')
            .where('id', '=', lowest ?? '')
            .execute()
          expect((await read({ after: next ?? '' })).previous).toBe(null)
        }
      },
    )
    await fc.assert(property, { numRuns: draws(20, 1000) })
  })

  test('continue after items that are removed during paging, in every order', async (context) => {
    const store = await createStore(driver, context)
    const rows = Array.from({ length: 9 }, (_, index) => ({
      id: `r${index}`,
      name: `${9 - index}`,
      createdAt: index % 4,
      updatedAt: 0,
    }))
    const order = { createdAt: sql`"createdAt"`, name: sql`"name"` }
    const source = { from: sql`"workflowGroups"`, select: sql`*`, id: sql`"id"`, order }
    for (const orderDirection of ['ASC', 'DESC'] as const)
      for (const orderBy of [undefined, 'createdAt', 'name'] as const)
        for (const way of ['after', 'before'] as const) {
          const environmentId = `${orderDirection}${orderBy}${way}`
          const stored = rows.map((row) => ({ ...row, environmentId, id: `${environmentId}${row.id}` }))
          await store.db.insertInto('workflowGroups').values(stored).execute()
          const where = [sql`"environmentId" = ${environmentId}`]
          const read = (query: Partial<CursorQuery>) =>
            readCursorPage<{ readonly id: string; readonly name: string }>(
              store.db,
              { ...source, where },
              { limit: 2, orderDirection, orderBy, ...query },
            )
          const all = await read({ limit: 9 })
          const seen: string[] = []
          // Backwards, the last item is omitted because paging starts there.
          let page = way === 'after' ? await read({}) : await read({ before: all.data.at(-1)?.id })
          for (;;) {
            const ids = page.data.map(({ id }) => id)
            seen.push(...(way === 'after' ? ids : ids.toReversed()))
            if (ids.length > 0) await store.db.deleteFrom('workflowGroups').where('id', 'in', ids).execute()
            const cursor = way === 'after' ? page.next : page.previous
            if (cursor === null || seen.length > 9) break
            page = await read({ [way]: cursor })
          }
          const expected = way === 'after' ? all.data : all.data.toReversed().slice(1)
          expect([environmentId, seen]).toEqual([environmentId, expected.map(({ id }) => id)])
        }
  })

  test('count up to 50,000', async (context) => {
    const store = await createStore(driver, context)
    const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(maxTotalCount + 1)})`
    await sql`${numbers} insert into "settings" ("key", "value") select cast(i as text), 'v' from n`.execute(store.db)
    const source = { from: sql`"settings"`, select: sql`"key" as "id"`, where: [], id: sql`"key"` }
    const query = { limit: 1, orderDirection: 'ASC' } as const
    expect(await readCursorPage(store.db, source, query)).toMatchObject({ totalCount: 50_000, totalCountCapped: true })
    await store.db.deleteFrom('settings').where('key', '=', '1').execute()
    expect(await readCursorPage(store.db, source, query)).toMatchObject({ totalCount: 50_000, totalCountCapped: false })
  })
})
