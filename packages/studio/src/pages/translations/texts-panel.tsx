import { Plus } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { JsonObject, Translation, TranslationGroup } from '../../api/generated/resources.ts'
import { JsonEditor } from '../../editor/json-editor.tsx'
import { Columns } from '../../resource/resource-page.tsx'
import { SaveRow } from '../../resource/save-row.tsx'
import { type ResourceFormState, useResourceForm } from '../../resource/use-resource-form.ts'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { findConflict, isGroup, toTexts, withText } from './texts.ts'
import { listPath, translationsPath as path } from './translation-paths.ts'
import { TranslationPreview } from './translation-preview.tsx'
import style from './translations.module.css'

/** Props of the translation editor. */
export interface TextsPanelProps {
  /** The workflow or layout. */
  readonly group: TranslationGroup
  /** The language to edit. */
  readonly locale: string
  /** Content below the preview. */
  readonly children: ReactNode
}

/** Edits the texts in one language next to those in another, and next to a preview. */
export function TextsPanel({ group, locale, children }: TextsPanelProps): ReactNode {
  const { choose } = useAddress()
  const other = group.locales.find((one) => one !== locale)
  const pathOf = (one = ''): string =>
    `${path}/${group.resourceType}/${encodeURIComponent(group.resourceId)}/${encodeURIComponent(one)}`
  const { data, error, refetch } = useRead<Translation>(pathOf(locale))
  const reference = useRead<Translation>(pathOf(other), { enabled: other !== undefined })
  const select = (
    <SelectField
      label="Language"
      hideLabel
      value={locale}
      options={group.locales.map((one) => ({ value: one, text: one }))}
      onChange={(one) => choose({ locale: one })}
    />
  )
  if (data)
    return (
      <Editor translation={data} reference={reference.data} select={select}>
        {children}
      </Editor>
    )
  const loading = (
    <Panel title="Texts" actions={select}>
      {error && <Failure title="Couldn't load the translations" error={error} onRetry={() => void refetch()} />}
      {!error && <Skeleton rows={6} height={28} />}
    </Panel>
  )
  return <Columns even main={loading} side={children} />
}

interface TextsFormProps {
  readonly translation: Translation
  /** The texts in another language. */
  readonly reference: Translation | undefined
}

interface EditorProps extends TextsFormProps {
  /** Selects the language. */
  readonly select: ReactNode
  /** Content below the preview. */
  readonly children: ReactNode
}

function Editor({ translation, reference, select, children }: EditorProps): ReactNode {
  const { resourceType, resourceId, locale } = translation
  const form = useResourceForm({
    initial: { content: translation.content },
    toRequest: ({ content }) => ({ method: 'POST', path, body: { resourceType, resourceId, locale, content } }),
    touches: [listPath, path],
    onSaved: () => toast('Saved'),
  })
  const content = form.values['content'] as JsonObject
  return (
    <Columns
      even
      main={
        <Panel title="Texts" actions={select}>
          <TextsForm form={form} reference={reference} />
        </Panel>
      }
      side={
        <>
          <TranslationPreview of={translation} texts={{ locale, content }} />
          {children}
        </>
      }
    />
  )
}

function TextsForm({ form, reference }: RowsProps): ReactNode {
  const [view, setView] = useState<'form' | 'json'>('form')
  return (
    <form className={style['form']} onSubmit={form.submit}>
      {form.error && <Failure title="Couldn't save the texts" error={form.error} />}
      <div className={style['foot']}>
        <Segments
          label="Edit the texts as"
          value={view}
          onChange={setView}
          options={[
            { value: 'form', text: 'Form' },
            { value: 'json', text: 'JSON' },
          ]}
        />
        <MissingTexts content={form.values['content'] as JsonObject} reference={reference} />
      </div>
      {view === 'form' ? (
        <Rows form={form} reference={reference} />
      ) : (
        <JsonEditor
          label="Texts"
          value={form.values['content']}
          onChange={(content) => form.set('content', content)}
          minRows={14}
        />
      )}
      <SaveRow form={form} />
    </form>
  )
}

interface MissingTextsProps extends Pick<TextsFormProps, 'reference'> {
  readonly content: JsonObject
}

function MissingTexts({ content, reference }: MissingTextsProps): ReactNode {
  const texts = toTexts(content)
  const missing = Object.keys(toTexts(reference?.content ?? {})).filter((key) => (texts[key] ?? '') === '').length
  if (missing === 0) return null
  return <Badge tone="warn">{missing === 1 ? '1 text is missing' : `${missing} texts are missing`}</Badge>
}

interface RowsProps extends Pick<TextsFormProps, 'reference'> {
  readonly form: ResourceFormState
}

function Rows({ form, reference }: RowsProps): ReactNode {
  const content = form.values['content'] as JsonObject
  const [added, setAdded] = useState<readonly string[]>([])
  const texts = toTexts(content)
  const others = toTexts(reference?.content ?? {})
  const keys = [...new Set([...Object.keys(others), ...Object.keys(texts), ...added])]
  return (
    <>
      {keys.map((key) => (
        <TextArea
          key={key}
          label={key}
          rows={(texts[key] ?? '').split('\n').length}
          value={texts[key] ?? ''}
          hint={others[key] !== undefined && `${reference?.locale}: ${others[key]}`}
          error={
            texts[key] === undefined && isGroup(content, key)
              ? `${key} is a group of texts in this language, so it cannot be a text. Remove the texts of the group first.`
              : undefined
          }
          onChange={(text) => {
            setAdded((before) => [...new Set([...before, key])])
            form.set('content', withText(content, key, text))
          }}
        />
      ))}
      <NewKey taken={keys} onAdd={(key) => setAdded((before) => [...before, key])} />
    </>
  )
}

function NewKey({ taken, onAdd }: { readonly taken: readonly string[]; onAdd(key: string): void }): ReactNode {
  const [key, setKey] = useState('')
  const problem = findProblem(taken, key)
  const add = (event?: FormEvent): void => {
    event?.preventDefault()
    if (key === '' || problem !== undefined) return
    onAdd(key)
    setKey('')
  }
  return (
    <div className={style['new']}>
      <TextField
        label="New key"
        mono
        placeholder="footer.address"
        value={key}
        error={problem}
        onChange={setKey}
        onKeyDown={(event) => event.key === 'Enter' && add(event)}
      />
      <Button
        needs="edit"
        icon={<Plus size={15} />}
        disabled={key === '' || problem !== undefined}
        onClick={() => add()}
      >
        Add
      </Button>
    </div>
  )
}

function findProblem(taken: readonly string[], key: string): string | undefined {
  if (taken.includes(key)) return 'The key exists already.'
  const conflict = findConflict(taken, key)
  return conflict === undefined
    ? undefined
    : `The key ${conflict} exists already, and a text cannot contain other texts. Use another key.`
}
