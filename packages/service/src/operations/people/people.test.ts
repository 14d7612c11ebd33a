import { describe, expect, test } from 'vitest'
import { startPeopleService } from '../../access/people.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'

describe.each(drivers)('the list of people (%s)', (driver) => {
  test('has pages, an order, and a search in names and addresses', async (context) => {
    const { createAdmin, environmentId } = await startPeopleService(driver, context)
    const admin = await createAdmin()
    const names = ['Zoë', '100% Bob', 'a_b', 'axb', 'Carl', 'Dora', 'Emil']
    for (const [index, name] of names.entries()) {
      const roles = [{ environmentId, role: index % 2 === 0 ? 'editor' : 'admin' }]
      const person = { email: `person-${(index * 3) % 7}@example.com`, name, role: 'none', roles }
      expect((await admin.send('POST', '/v1/studio/people', person)).status).toBe(201)
    }
    const list = async (query: string) => (await admin.send('GET', `/v1/studio/people?${query}`)).body

    const seen: { readonly email: string; readonly roles: readonly { readonly role: string }[] }[] = []
    let page = await list('limit=3&orderBy=email&orderDirection=ASC')
    for (let pages = 1; ; pages++) {
      seen.push(...page.data)
      expect(page.totalCount).toBe(8)
      if (page.next === null) {
        expect(pages).toBe(3)
        break
      }
      page = await list(`limit=3&orderBy=email&orderDirection=ASC&after=${encodeURIComponent(page.next)}`)
    }
    const byNumber = names.map((_, index) => (index * 5) % 7)
    expect(seen.map(({ email, roles }) => [email, roles.map(({ role }) => role)])).toEqual([
      ['admin@example.com', []],
      ...byNumber.map((index, number) => [`person-${number}@example.com`, [index % 2 === 0 ? 'editor' : 'admin']]),
    ])
    expect((await list('')).data.map(({ name }: { name: string }) => name)).toEqual([...names.toReversed(), 'Ada'])

    const find = async (search: string) =>
      (await list(`search=${encodeURIComponent(search)}`)).data.map(({ name }: { name: string }) => name)
    expect(await find('EMIL')).toEqual(['Emil'])
    expect(await find('ADMIN@')).toEqual(['Ada'])
    expect(await find('a_b')).toEqual(['a_b'])
    expect(await find('%')).toEqual(['100% Bob'])
    expect(await find('nobody')).toEqual([])
  })
})
