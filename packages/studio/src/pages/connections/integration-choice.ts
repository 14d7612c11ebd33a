import type { Integration } from '../../api/generated/resources.ts'
import { integrationsPath } from '../../api/list-paths.ts'
import type { FormField } from '../../resource/form-field.ts'
import { useRead } from '../../session/queries.ts'

/** A field that chooses an integration. */
export interface IntegrationChoice {
  readonly field: FormField
  /** The identifier of the first integration; empty if there is none. */
  readonly first: string
}

/** Returns a field that chooses one of the environment's integrations. */
export function useIntegrationChoice(): IntegrationChoice {
  const { data = [] } = useRead<readonly Integration[]>(integrationsPath)
  return {
    field: {
      name: 'integrationIdentifier',
      label: 'Integration',
      kind: 'select',
      options: data.map(({ identifier, name }) => ({ value: identifier, text: name })),
    },
    first: data[0]?.identifier ?? '',
  }
}
