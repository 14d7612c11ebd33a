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
import { findLocale } from './find-locale.ts'
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
  const list = useWholeList<TranslatedResource>(listPath)
  const { rows } = list
  return (
    <ResourceList
      title="Translations"
      lead={
        <>
          Texts of workflows and layouts by language. Templates insert them as <code>{'{{ t.key }}'}</code>; a text can
          use variables, conditions and filters itself.
        </>
      }
      list={list}
      columns={columns}
      keyOf={({ resourceType, resourceId }) => `${resourceType}/${resourceId}`}
      // Until the list is loaded, the dialog could not tell which languages exist.
      {...(rows && {
        create: { text: 'New translation', dialog: (close) => <NewTranslation existing={rows} onClose={close} /> },
      })}
      empty={
        <Empty icon={<Languages size={20} />} title="No translations yet">
          Add the texts of a workflow or layout in a first language.
        </Empty>
      }
    />
  )
}

interface NewTranslationProps {
  /** The resources that have translations. */
  readonly existing: readonly TranslatedResource[]
  onClose(): void
}

function NewTranslation({ existing, onClose }: NewTranslationProps): ReactNode {
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
      toRequest={({ resource, locale }) => ({
        method: 'POST',
        path: translationsPath,
        body: { ...toResource(resource), locale, content: {} },
      })}
      openExisting={({ resource, locale: typed }) => {
        const { resourceType, resourceId } = toResource(resource)
        const group = existing.find((one) => one.resourceType === resourceType && one.resourceId === resourceId)
        const locale = findLocale(group?.locales ?? [], String(typed))
        if (locale !== undefined) navigate(toTranslationPage({ resourceType, resourceId, locale }))
        return locale !== undefined
      }}
      touches={[listPath, translationsPath]}
      onSaved={(saved: Translation) => navigate(toTranslationPage(saved))}
      onClose={onClose}
    />
  )
}

function toResource(value: unknown): Pick<Translation, 'resourceType' | 'resourceId'> {
  const [resourceType = '', resourceId = ''] = String(value).split('/')
  return { resourceType: resourceType as Translation['resourceType'], resourceId }
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
