import type { JsonObject } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import type { Content } from '../../engine/port/channel-port.ts'
import { runInSandbox } from '../../sandbox/sandbox.ts'
import type { Session } from '../../store/store.ts'
import { unmarkBraces } from '../../templates/data-braces.ts'
import { readTexts, type TextDrafts } from '../../translations/read-texts.ts'
import type { ContentInput } from './content-input.ts'
import type { ContentOf } from './content-of.ts'
import { findLayout } from './find-layout.ts'

/**
 * Creates the content of a step's message: its outputs in the recipient's language, and an email in its layout.
 *
 * @param db - The database, for layouts and translations. Not a transaction, because rendering takes a while.
 * @param delivery - The outputs, with escaped double braces in data.
 * @param drafts - Unsaved translations of the workflow, in a preview.
 */
export async function createContent(db: Session, delivery: ContentOf, drafts?: TextDrafts): Promise<Content> {
  const { environmentId, outputs, providers, run, job, subscriber } = delivery
  const { layout, warning } = job.type === 'email' ? await findLayout(db, delivery) : {}
  const hasTexts = JSON.stringify([outputs, providers]).includes('{{')
  const { locale } = subscriber
  const textsOf = (resourceType: string, resourceId: string, used?: TextDrafts) =>
    readTexts(db, { environmentId, resourceType, resourceId }, { locale, drafts: used })
  const content =
    hasTexts || layout
      ? await render(environmentId, {
          ...{ type: job.type, outputs, providers, variables: await readVariables(db, delivery) },
          texts: hasTexts ? await textsOf('workflow', run.workflowIdentifier, drafts) : [],
          ...(layout && { layout: { ...layout, texts: await textsOf('layout', layout.identifier) } }),
        })
      : { ...unmarkBraces({ outputs, providers }), missing: [] }
  if (warning === undefined) return content
  const body = content.outputs['body']
  return { ...content, mail: { html: typeof body === 'string' ? body : '', warnings: [warning] } }
}

async function render(owner: string, input: ContentInput): Promise<Content> {
  try {
    return (await runInSandbox({ task: 'renderContent', input, owner })) as Content
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    const { outputs, providers } = input
    const message = `The message is not sent: its translations and its layout cannot be rendered: ${error.message}.`
    return {
      ...unmarkBraces({ outputs, providers }),
      missing: [],
      problem: { code: 'content_invalid', message, status: 'error' },
    }
  }
}

/** Returns the variables of the layout and of all translations. */
async function readVariables(db: Session, { environmentId, subscriber, run }: ContentOf): Promise<JsonObject> {
  const { name } =
    (await db.selectFrom('environments').select('name').where('id', '=', environmentId).executeTakeFirst()) ?? {}
  return {
    subscriber,
    payload: run.payload,
    tenant: run.tenant,
    environment: { name },
    workflow: { workflowId: run.workflowIdentifier, tags: run.tags, severity: run.severity },
  }
}
