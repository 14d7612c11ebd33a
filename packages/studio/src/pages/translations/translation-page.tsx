import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Translation, TranslationGroup } from '../../api/generated/resources.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { DeleteResource, type ResourceKind, ResourcePage } from '../../resource/resource-page.tsx'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { findLocale } from './find-locale.ts'
import { TextsPanel } from './texts-panel.tsx'
import { listPath, translationsPath as path } from './translation-paths.ts'

const kind: ResourceKind = { noun: 'translation', list: { to: '/translations', text: 'Translations' } }

/** Edits the texts of a workflow or layout, language by language. */
export function TranslationPage(): ReactNode {
  const { resourceType = '', resourceId = '' } = usePathNames<{ resourceType: string; resourceId: string }>()
  const own = `${resourceType}/${encodeURIComponent(resourceId)}`
  const read = useRead<TranslationGroup>(`${path}/group/${own}`)
  return (
    <ResourcePage kind={kind} title={resourceId} read={read}>
      {(group) => <Loaded key={own} group={group} own={`${path}/${own}`} />}
    </ResourcePage>
  )
}

function Loaded({ group, own }: { readonly group: TranslationGroup; readonly own: string }): ReactNode {
  const { resourceType, resourceId, resourceName, locales, updatedAt } = group
  const { get, choose } = useAddress()
  const [isAdding, setAdding] = useState(false)
  const chosen = get('locale') ?? ''
  const locale = locales.includes(chosen) ? chosen : (locales[0] ?? '')
  const to = `/${resourceType}s/${toPathName(resourceId)}`
  return (
    <Page
      wide
      title={resourceName}
      trail={[kind.list]}
      actions={
        <>
          <DeleteResource
            kind={kind}
            name={resourceName}
            path={own}
            touches={[listPath, path]}
            consequence="The texts of all languages are deleted. Templates that use them show no text."
          />
          <Button needs="edit" icon={<Plus size={15} />} onClick={() => setAdding(true)}>
            Add language
          </Button>
        </>
      }
    >
      <TextsPanel key={locale} group={group} locale={locale}>
        <Panel title="About">
          <Facts
            facts={[
              [
                resourceType === 'layout' ? 'Layout' : 'Workflow',
                <Link key="of" to={to}>
                  {resourceName}
                </Link>,
              ],
              ['Languages', locales.join(', ')],
              ['Changed', <TimeText key="at" at={updatedAt} />],
            ]}
          />
        </Panel>
      </TextsPanel>
      {isAdding && (
        <NewLanguage
          group={group}
          onOpen={(opened) => {
            setAdding(false)
            choose({ locale: opened })
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

interface NewLanguageProps {
  readonly group: TranslationGroup
  /** Opens the added or existing language. */
  onOpen(locale: string): void
  onClose(): void
}

function NewLanguage({ group: { resourceType, resourceId, locales }, onOpen, onClose }: NewLanguageProps): ReactNode {
  return (
    <ResourceDialog
      title="Add language"
      verb="Add"
      failure="Couldn't add the language"
      fields={[{ name: 'locale', label: 'Language', required: true, mono: true, placeholder: 'de_DE' }]}
      initial={{}}
      toRequest={(values) => ({ method: 'POST', path, body: { resourceType, resourceId, content: {}, ...values } })}
      openExisting={({ locale }) => {
        const existing = findLocale(locales, String(locale))
        if (existing !== undefined) onOpen(existing)
        return existing !== undefined
      }}
      touches={[listPath, path]}
      onSaved={({ locale }: Translation) => onOpen(locale)}
      onClose={onClose}
    />
  )
}
