import { z } from 'zod'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { ServiceContext } from '../../context/service-context.ts'
import { standardLocale } from '../../translations/locale.ts'

const organization = z.object({ _id: z.string(), name: z.string() })
const common = { category: 'global', wrapped: true, access: 'view', method: 'GET', output: organization } as const

/**
 * Scripts and legacy CLI commands call these first. Keys belong to no person, but to the only organization.
 */
export const accountOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'users.getCurrent',
    path: '/v1/users/me',
    summary: 'Returns the owner of the secret key: the organization, because keys belong to no person.',
    output: z.object({ _id: z.string(), firstName: z.null(), lastName: z.null(), email: z.null() }),
    handler: async ({ organizationId }) => ({ _id: organizationId, firstName: null, lastName: null, email: null }),
  }),
  operation({
    ...common,
    name: 'organizations.list',
    path: '/v1/organizations',
    summary: 'Lists the only organization of the service.',
    output: z.array(organization),
    handler: async (context) => [toOrganization(context)],
  }),
  operation({
    ...common,
    name: 'organizations.getCurrent',
    path: '/v1/organizations/me',
    summary: 'Returns the organization of the secret key.',
    handler: async (context) => toOrganization(context),
  }),
  operation({
    ...common,
    name: 'organizations.getSettings',
    path: '/v1/organizations/settings',
    summary: 'Returns the default locale, and the locales with translations in the environment.',
    output: z.object({ defaultLocale: z.string(), targetLocales: z.array(z.string()) }),
    async handler({ store, environment }) {
      const rows = await store.db
        .selectFrom('translations')
        .select('locale')
        .distinct()
        .where('environmentId', '=', environment.id)
        .orderBy('locale')
        .execute()
      return { defaultLocale: standardLocale, targetLocales: rows.map(({ locale }) => locale) }
    },
  }),
])

const toOrganization = ({ organizationId }: Pick<ServiceContext, 'organizationId'>): z.infer<typeof organization> => ({
  _id: organizationId,
  name: 'Trestle',
})
