import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Tenant } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { DeleteResource, type ResourceKind, ResourcePage } from '../../resource/resource-page.tsx'
import { useRead } from '../../session/queries.ts'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'

const path = '/v1/tenants'
const kind: ResourceKind = { noun: 'tenant', list: { to: '/tenants', text: 'Tenants' } }

/** Edits a tenant. */
export function TenantPage(): ReactNode {
  const { identifier = '' } = usePathNames<{ identifier: string }>()
  const read = useRead<Tenant>(`${path}/${encodeURIComponent(identifier)}`)
  return (
    <ResourcePage kind={kind} title={identifier} read={read}>
      {(tenant) => <TenantForm key={tenant._id} tenant={tenant} />}
    </ResourcePage>
  )
}

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name' },
  { name: 'identifier', label: 'Identifier', required: true, mono: true, hint: 'Triggers use it to name the tenant.' },
  { name: 'data', label: 'Data', kind: 'json', hint: 'Workflows read it as tenant.data.' },
]

function TenantForm({ tenant }: { readonly tenant: Tenant }): ReactNode {
  const [, navigate] = useLocation()
  const { identifier, name = '', data = {} } = tenant
  const own = `${path}/${encodeURIComponent(identifier)}`
  return (
    <Page
      title={name || identifier}
      trail={[kind.list]}
      actions={
        <DeleteResource
          kind={kind}
          name={name || identifier}
          path={own}
          touches={[path]}
          consequence="Its workflow settings are deleted too. Triggers that name it create no tenant."
        />
      }
    >
      <Panel title="Settings">
        <ResourceForm
          failure="Couldn't save the tenant"
          fields={fields}
          initial={{ name, identifier, data }}
          toRequest={(values) => ({ method: 'PATCH', path: own, body: { ...values, data: values['data'] ?? {} } })}
          touches={[path]}
          onSaved={(saved: Tenant) => navigate(`/tenants/${toPathName(saved.identifier)}`, { replace: true })}
        />
      </Panel>
    </Page>
  )
}
