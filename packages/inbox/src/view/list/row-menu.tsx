import type { ReactElement } from 'react'
import type { Inbox } from '../../store/create-inbox.ts'
import type { InboxNotification } from '../../wire/resources.ts'
import { Menu, type MenuItem } from '../base/menu.tsx'
import { useInboxContext } from '../base/provider.tsx'
import { toTimeText } from '../base/relative-time.ts'
import { toSnoozeTimes } from '../base/snooze-times.ts'
import { fill } from '../base/texts.ts'

interface RowMenuProps {
  readonly item: InboxNotification
  readonly inbox: Inbox
  readonly tabIndex: number
}

/** Shows a menu with all actions for a message. */
export function RowMenu({ item, inbox, tabIndex }: RowMenuProps): ReactElement {
  const { texts, failures, locale } = useInboxContext()
  const { id, isRead, isArchived, isSnoozed } = item
  const marks = (): readonly MenuItem[] => [
    isRead
      ? { label: texts.markUnread, icon: 'unread', run: () => failures.run(() => inbox.unread(id)) }
      : { label: texts.markRead, icon: 'read', run: () => failures.run(() => inbox.read(id)) },
    isArchived
      ? { label: texts.unarchive, icon: 'inbox', run: () => failures.run(() => inbox.unarchive(id)) }
      : { label: texts.archive, icon: 'archive', run: () => failures.run(() => inbox.archive(id)) },
  ]
  const snoozes = (): readonly MenuItem[] => {
    if (isSnoozed) return [{ label: texts.unsnooze, icon: 'clock', run: () => failures.run(() => inbox.unsnooze(id)) }]
    if (isArchived) return []
    return toSnoozeTimes(new Date()).map(({ text, until }) => ({
      ...{
        label: texts[text],
        icon: 'clock',
        group: texts.snooze,
        hint: toTimeText(until.getTime(), Date.now(), locale),
      },
      run: () => failures.run(() => inbox.snooze(id, until)),
    }))
  }
  const remove: MenuItem = {
    ...{ label: texts.delete, icon: 'trash', isDanger: true },
    run: () => failures.run(() => inbox.delete(id)),
  }
  return (
    <Menu
      label={fill(texts.actionsOf, { text: item.subject ?? item.body })}
      tabIndex={tabIndex}
      items={() => [...marks(), ...snoozes(), remove]}
    />
  )
}
