import { Languages } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { LayoutList, TranslatedResource, Translation } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { BadgeRow, NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { useWholeList } from '../../resource/use-list.tsx'
import { useBridge } from '../../session/bridge.ts'
import { useRead } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { listPath, toTranslationPage, translationsPath } from './translation-paths.ts'

const columns: readonly Column<TranslatedResource>[] = [
  {
    key: 'name',
    title: 'Texts of',
    show: (resource) => (
      <NamedLink to={toTranslationPage(resource)} name={resource.resourceName} id={resource.resourceId} />
    ),
  },
  {
    key: 'type',
    title: 'Kind',
    wideOnly: true,
    show: ({ resourceType }) => (resourceType === 'layout' ? 'Layout' : 'Workflow'),
  },
  {
    key: 'locales',
    title: 'Languages',
    show: ({ locales }) => (
      <BadgeRow>
        {locales.map((locale) => (
          <Badge key={locale}>{locale}</Badge>
        ))}
      </BadgeRow>
    ),
  },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

/** Lists the translated workflows and layouts. */
export function TranslationsPage(): ReactNode {
  return (
    <ResourceList
      title="Translations"
      lead={
        <>
          Texts of workflows and layouts by language. Templates insert them as <code>{'{{ t.key }}'}</code>; a text can
          use variables, conditions and filters itself.
        </>
      }
      list={useWholeList<TranslatedResource>(listPath)}
      columns={columns}
      keyOf={({ resourceType, resourceId }) => `${resourceType}/${resourceId}`}
      create={{ text: 'New translation', dialog: (close) => <NewTranslation onClose={close} /> }}
      empty={
        <Empty icon={<Languages size={20} />} title="No translations yet">
          Add the texts of a workflow or layout in a first language.
        </Empty>
      }
    />
  )
}

function NewTranslation({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  const options = useResources()
  const fields: readonly FormField[] = [
    { name: 'resource', label: 'Texts of', kind: 'select', options },
    { name: 'locale', label: 'Language', required: true, mono: true, placeholder: 'en_US' },
  ]
  return (
    <ResourceDialog
      title="New translation"
      verb="Create"
      failure="Couldn't create the translation"
      fields={fields}
      initial={{ resource: options[0]?.value ?? '' }}
      toRequest={({ resource, locale }) => {
        const [resourceType = '', resourceId = ''] = String(resource).split('/')
        const body = { resourceType, resourceId, locale, content: {} }
        return { method: 'POST', path: translationsPath, body }
      }}
      touches={[listPath, translationsPath]}
      onSaved={(saved: Translation) => navigate(toTranslationPage(saved))}
      onClose={onClose}
    />
  )
}

/** Returns the resources that can have translations, as `layout/id` and `workflow/id`. */
function useResources(): readonly { readonly value: string; readonly text: string }[] {
  const workflows = useBridge().data?.workflows ?? []
  const { data } = useRead<LayoutList>('/v2/layouts', { query: { limit: 100 } })
  return [
    ...workflows.map(({ workflowId, name }) => ({
      value: `workflow/${workflowId}`,
      text: `Workflow ${name ?? workflowId}`,
    })),
    ...(data?.layouts ?? []).map(({ layoutId, name }) => ({ value: `layout/${layoutId}`, text: `Layout ${name}` })),
  ]
}
