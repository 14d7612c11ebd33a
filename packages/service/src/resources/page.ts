import { z } from 'zod'

/** Returns the schema of a page of a list with cursors. @source service-api.md#pagination */
export function cursorPageOf(item: z.ZodType): z.ZodType {
  return z.object({
    data: z.array(item).describe('The items.'),
    next: z.string().nullable().describe('The value of `after` for the next page; `null` on the last one.'),
    previous: z.string().nullable().describe('The value of `before` for the previous page; `null` on the first one.'),
    totalCount: z.number().describe('The number of matching items, up to 50,000.'),
    totalCountCapped: z.boolean().describe('Whether more items match.'),
  })
}

const numbered = (item: z.ZodType) => ({
  data: z.array(item).describe('The items.'),
  page: z.number().describe('The page, from 0.'),
  pageSize: z.number().describe('Items per page.'),
})

/** Returns the schema of a numbered page, of a list that reports whether more items follow. */
export function openPageOf(item: z.ZodType): z.ZodType {
  return z.object({
    ...numbered(item),
    hasMore: z.boolean().describe('Whether more pages follow.'),
    totalCount: z.number().optional().describe('The number of matching items, if the list counts them.'),
  })
}

/** Returns the schema of a numbered page, of a list that counts its items. */
export function countedPageOf(item: z.ZodType): z.ZodType {
  return z.object({ ...numbered(item), totalCount: z.number().describe('The number of matching items.') })
}
