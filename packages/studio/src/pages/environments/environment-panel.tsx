import type { ReactNode } from 'react'
import type { Environment } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { useSession } from '../../session/session.tsx'
import { Panel } from '../../ui/panel.tsx'

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name', required: true },
  {
    name: 'identifier',
    label: 'Application identifier',
    required: true,
    mono: true,
    hint: 'Public. Web pages use it to open inboxes, so changing it breaks them until they use the new one.',
  },
  {
    name: 'bridgeUrl',
    isWide: true,
    label: 'Bridge URL',
    mono: true,
    placeholder: 'https://app.example.com/api/bridge',
    hint: 'The service calls it to discover and run workflows.',
  },
]

/** Edits the current environment. */
export function EnvironmentPanel({ environment }: { readonly environment: Environment }): ReactNode {
  const { refresh } = useSession()
  const { _id, name, identifier, bridge } = environment
  return (
    <Panel title={name}>
      <ResourceForm
        needs="administer"
        failure="Couldn't save the environment"
        fields={fields}
        initial={{ name, identifier, bridgeUrl: bridge?.url ?? '' }}
        toRequest={({ bridgeUrl, ...body }) => ({
          method: 'PUT',
          path: `/v1/environments/${_id}`,
          body: { ...body, bridge: { url: bridgeUrl } },
        })}
        touches={['/v1/environments', '/v1/studio/bridge']}
        onSaved={() => void refresh()}
      />
    </Panel>
  )
}
