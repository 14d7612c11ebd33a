import { CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { findErrorTexts } from '../../errors/error-texts.ts'
import type { ErrorText } from '../../errors/parse-error-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Prose } from '../../ui/prose.tsx'
import style from './errors.module.css'
import { sideTexts } from './side-texts.ts'

const trail = [{ to: '/errors', text: 'Error codes' }]

/** Shows when and why an error code occurs, and how to fix it. */
export function ErrorPage(): ReactNode {
  const { code = '' } = usePathNames<{ code: string }>()
  const texts = findErrorTexts(code)
  return (
    <Page title={code} trail={trail}>
      {texts.map((text) => (
        <ErrorPanel key={text.side} text={text} />
      ))}
      {texts.length === 0 && (
        <Panel>
          <Empty
            icon={<CircleHelp size={20} />}
            title="Unknown error code"
            action={<ButtonLink to="/errors">All error codes</ButtonLink>}
          >
            Codes from your app and warning codes are explained in their messages.
          </Empty>
        </Panel>
      )}
    </Page>
  )
}

function ErrorPanel({ text }: { readonly text: ErrorText }): ReactNode {
  const { side, status, when, why, fix, message } = text
  return (
    <Panel title={sideTexts[side].title} aside={status !== undefined && <Badge>Status {status}</Badge>}>
      <div className={style['texts']}>
        <Facts
          facts={[
            ['When', <Prose key="when" text={when} />],
            ['Cause', <Prose key="why" text={why} />],
          ]}
        />
        <div className={style['fix']}>
          <h3>What to do</h3>
          <p>
            <Prose text={fix} />
          </p>
        </div>
        <div>
          <h3>Example message</h3>
          <p className={style['message']}>{message}</p>
        </div>
      </div>
    </Panel>
  )
}
