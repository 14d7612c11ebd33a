import type { ReactNode } from 'react'
import type { Context } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { DeleteResource, type ResourceKind, ResourcePage } from '../../resource/resource-page.tsx'
import { useRead } from '../../session/queries.ts'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'

const path = '/v2/contexts'
const kind: ResourceKind = { noun: 'context', list: { to: '/contexts', text: 'Contexts' } }

const fields: readonly FormField[] = [
  {
    name: 'bridgeUrl',
    label: 'Bridge URL',
    mono: true,
    placeholder: 'The bridge of the environment',
    hint: 'Runs in this context call this bridge instead.',
  },
  { name: 'data', label: 'Data', kind: 'json', hint: 'Workflows read it as context.' },
]

/** Edits a context. */
export function ContextPage(): ReactNode {
  const { type = '', id = '' } = usePathNames<{ type: string; id: string }>()
  const own = `${path}/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
  const read = useRead<Context>(own)
  return (
    <ResourcePage kind={kind} title={`${type}:${id}`} read={read}>
      {({ bridgeUrl = '', data }) => (
        <Page
          title={`${type}:${id}`}
          trail={[kind.list]}
          actions={
            <DeleteResource
              kind={kind}
              name={`${type}:${id}`}
              path={own}
              touches={[path]}
              consequence="Its data is deleted. A trigger that names it creates it again."
            />
          }
        >
          <Panel title="Settings">
            <ResourceForm
              key={own}
              failure="Couldn't save the context"
              fields={fields}
              initial={{ bridgeUrl, data }}
              toRequest={(values) => ({
                method: 'PATCH',
                path: own,
                body: { data: values['data'] ?? {}, bridgeUrl: values['bridgeUrl'] || null },
              })}
              touches={[path]}
            />
          </Panel>
        </Page>
      )}
    </ResourcePage>
  )
}
