import { Download, Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FileContent, MessageFile } from '../../api/generated/resources.ts'
import { saveFile } from '../../base/save-file.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { OutsideLink } from '../../ui/markdown/outside-link.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import style from './message.module.css'

export interface MessageFilesProps {
  readonly messageId: string
  readonly files: readonly MessageFile[]
}

/** Shows a message's files: files stored in the service can be saved, others are links. */
export function MessageFiles({ messageId, files }: MessageFilesProps): ReactNode {
  const { conversationId = '' } = usePathNames<{ conversationId: string }>()
  const { api } = useSession()
  const path = `/v1/studio/conversations/${encodeURIComponent(conversationId)}/messages/${encodeURIComponent(messageId)}`
  const save = async (index: number): Promise<void> => {
    try {
      const file = await api.read<FileContent>(`${path}/files/${index}`)
      saveFile(file.name, toBlob(file))
    } catch (error) {
      toast("Couldn't save the file", { description: error instanceof Error ? error.message : '', tone: 'bad' })
    }
  }
  return (
    <ul className={style['files']}>
      {files.map(({ name, size, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message keep their places
        <li key={index}>
          <Paperclip size={14} aria-hidden />
          {url === undefined ? name : <OutsideLink to={url}>{name}</OutsideLink>}
          {size !== undefined && (
            <>
              <span className={style['size']}>{formatSize(size)}</span>
              <Button
                small
                variant="quiet"
                aria-label={`Save ${name}`}
                icon={<Download size={14} />}
                onClick={() => void save(index)}
              />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function toBlob({ data = '' }: FileContent): Blob {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  // The browser saves the file, and ignores the type that the agent claims.
  return new Blob([bytes], { type: 'application/octet-stream' })
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
