import type { InboxOptions } from '@trestle/inbox'
import { Inbox } from '@trestle/inbox/react'
import { createRoot } from 'react-dom/client'
import '@trestle/inbox/inbox.css'
import './page.css'

const response = await fetch('/inbox-options')
if (!response.ok) throw new Error(await response.text())
const options = (await response.json()) as InboxOptions

const place = document.querySelector('#bell')
if (place) createRoot(place).render(<Inbox {...options} />)
