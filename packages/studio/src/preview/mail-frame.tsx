import { type ReactNode, useEffect, useRef, useState } from 'react'
import style from './email-preview.module.css'

export interface MailFrameProps {
  /** The HTML of the email. */
  readonly html: string
  /** Whether remote images are loaded. */
  readonly images: boolean
  /** The layout width of the email, in pixels. */
  readonly width: number
  /** The accessible label. */
  readonly title: string
}

const height = 480

/**
 * Shows an email in a sandboxed frame: no scripts, no forms, no navigation. Nothing is loaded from other servers,
 * except images on request. Scales the email down if it is too wide.
 */
export function MailFrame({ html, images, width, title }: MailFrameProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(width)
  useEffect(() => {
    if (!host.current) return
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    observer.observe(host.current)
    return () => observer.disconnect()
  }, [])
  const scale = Math.min(1, room / width)
  return (
    <div ref={host} className={style['stage']} style={{ height }}>
      <iframe
        title={title}
        sandbox=""
        srcDoc={`${headOf(images)}${html}`}
        className={style['frame']}
        style={{ width, height: height / scale, transform: `scale(${scale})`, marginInlineStart: -width / 2 }}
      />
    </div>
  )
}

function headOf(images: boolean): string {
  const pictures = images ? 'data: https: http:' : 'data:'
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${pictures}`
  // Without a target, links would replace the email in its frame.
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light"><base target="_blank">`
}
