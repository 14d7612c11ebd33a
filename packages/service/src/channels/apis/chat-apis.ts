import { toObject } from '../../json/json.ts'
import { shorten } from '../base/shorten.ts'
import type { ProviderApi, Refusal, RefusingAnswer } from './provider-api.ts'

const json = { 'content-type': 'application/json' }
/** The longest text of Telegram and WhatsApp. */
const maxText = 4096

/** APIs of chat providers, by provider id. */
export const chatApis: Readonly<Record<string, ProviderApi>> = {
  telegram: {
    channel: 'chat',
    needs: ['token'],
    baseUrl: 'https://api.telegram.org',
    path: '/bot{token}/sendMessage',
    headers: json,
    idPath: 'result.message_id',
    address: { endpoint: 'telegram_chat', field: 'chatId', isPhone: false },
    explain: explainTelegram,
    // With markup, the limit applies to the text without it, and truncation could split an entity.
    toBody: ({ to, text }, _credentials, { parse_mode: markup, entities = markup }) => ({
      chat_id: to,
      text: entities === undefined ? shorten(text, maxText) : text,
    }),
  },
  'whatsapp-business': {
    channel: 'chat',
    needs: ['apiToken', 'phoneNumberIdentification'],
    baseUrl: 'https://graph.facebook.com/v23.0',
    path: '/{phoneNumberIdentification}/messages',
    headers: { ...json, authorization: 'Bearer {apiToken}' },
    idPath: 'messages.0.id',
    address: { endpoint: 'phone', field: 'phoneNumber', isPhone: true },
    explain: explainWhatsapp,
    // Overrides may turn it into a template message, which has no text.
    toBody: ({ to, text }, _credentials, { type = 'text' }) => ({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type,
      ...(type === 'text' ? { text: { body: shorten(text, maxText) } } : {}),
    }),
  },
}

/**
 * Returns the meaning of a rejection by Telegram: it returns 403 if the user has blocked the bot, and 401 or 404 for an
 * invalid token.
 */
function explainTelegram({ status, body }: RefusingAnswer): Refusal | undefined {
  if (status === 429) {
    const seconds = Number(toObject(body['parameters'])['retry_after'])
    return { meaning: 'temporary', ...(seconds > 0 ? { waitMs: seconds * 1000 } : {}) }
  }
  if (status === 403) return { meaning: 'message' }
  return status === 404 ? { meaning: 'integration' } : undefined
}

const busyCodes: ReadonlySet<number> = new Set([4, 80007, 130429, 131048, 131056])
const accountCodes: ReadonlySet<number> = new Set([
  ...[0, 3, 10, 33, 190, 368, 131005, 131031, 131042, 131045, 133010, 133015],
])

/**
 * Returns the meaning of a rejection by WhatsApp, based on the error code and not on the status, as its documentation
 * recommends.
 */
function explainWhatsapp({ status, body }: RefusingAnswer): Refusal | undefined {
  const { code } = toObject(body['error'])
  if (typeof code !== 'number') return undefined
  if (busyCodes.has(code)) return { meaning: 'temporary' }
  if (accountCodes.has(code) || (code >= 200 && code < 300)) return { meaning: 'integration' }
  return status < 500 ? { meaning: 'message' } : undefined
}
