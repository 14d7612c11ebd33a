import type { ReactNode } from 'react'
import type { Subscriber } from '../../api/generated/resources.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './subscribers.module.css'

/** Shows the profile of a subscriber. */
export function Profile({ subscriber }: { readonly subscriber: Subscriber }): ReactNode {
  const { subscriberId, firstName, lastName, email, phone, avatar, locale, timezone, data, createdAt } = subscriber
  return (
    <div className={style['profile']}>
      <Facts
        facts={[
          [
            'Identifier',
            <span key="id">
              <code>{subscriberId}</code> <CopyButton text={subscriberId} label="Copy the identifier" />
            </span>,
          ],
          ['First name', firstName],
          ['Last name', lastName],
          ['Email', email],
          ['Phone', phone],
          ['Language', locale],
          ['Time zone', timezone],
          ['Picture', avatar],
          ['Created', <TimeText key="at" at={createdAt} />],
        ]}
      />
      {data !== undefined && Object.keys(data).length > 0 && <JsonBlock value={data} label="the custom data" />}
    </div>
  )
}
